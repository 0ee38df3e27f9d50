@_exported public import AppleFoundation

// https://developer.apple.com/documentation/metrickit/mxmetricmanager (iOS 13, macOS 12, visionOS 1)
public final class MXMetricManager: NSObject, @unchecked Sendable {
  // https://developer.apple.com/documentation/metrickit/mxmetricmanager/shared
  public class var shared: MXMetricManager { manager }
  private static let manager = MXMetricManager()

  // https://developer.apple.com/documentation/metrickit/mxmetricmanager/add(_:)
  public func add(_ subscriber: any MXMetricManagerSubscriber) {}

  // https://developer.apple.com/documentation/metrickit/mxmetricmanager/remove(_:)
  public func remove(_ subscriber: any MXMetricManagerSubscriber) {}
}

// https://developer.apple.com/documentation/metrickit/mxmetricmanagersubscriber
public protocol MXMetricManagerSubscriber: NSObjectProtocol {
  #if !os(macOS)
    // https://developer.apple.com/documentation/metrickit/mxmetricmanagersubscriber/didreceive(_:)-3zq5g
    func didReceive(_ payloads: [MXMetricPayload])
  #endif
  // https://developer.apple.com/documentation/metrickit/mxmetricmanagersubscriber/didreceive(_:)-9yd4u
  func didReceive(_ payloads: [MXDiagnosticPayload])
}

#if !os(macOS)
  // https://developer.apple.com/documentation/metrickit/mxmetricpayload
  open class MXMetricPayload: NSObject {
    // https://developer.apple.com/documentation/metrickit/mxmetricpayload/jsonrepresentation()
    open func jsonRepresentation() -> Data { Data() }
  }
#endif

// https://developer.apple.com/documentation/metrickit/mxdiagnosticpayload
open class MXDiagnosticPayload: NSObject {
  // https://developer.apple.com/documentation/metrickit/mxdiagnosticpayload/jsonrepresentation()
  open func jsonRepresentation() -> Data { Data() }
}
