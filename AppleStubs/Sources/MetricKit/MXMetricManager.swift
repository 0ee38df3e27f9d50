// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

// A stand-in: a test delivers payloads to the subscribers, which are not kept alive.

// https://developer.apple.com/documentation/metrickit/mxmetricmanager
@available(iOS 13, macOS 12, visionOS 1, *)
open class MXMetricManager: NSObject {
  open class var shared: MXMetricManager { manager }
  nonisolated(unsafe) private static let manager = MXMetricManager()

  private let lock = NSLock()
  private var subscribers: [ObjectIdentifier: Subscriber] = [:]

  private struct Subscriber {
    weak var object: (any MXMetricManagerSubscriber)?
  }

  public func add(_ subscriber: any MXMetricManagerSubscriber) {
    lock.withLock { subscribers[ObjectIdentifier(subscriber)] = Subscriber(object: subscriber) }
  }

  public func remove(_ subscriber: any MXMetricManagerSubscriber) {
    lock.withLock { subscribers[ObjectIdentifier(subscriber)] = nil }
  }

  /// Delivers payloads as the system does: each kind in a call of its own.
  public func deliver(_ metrics: [MXMetricPayload] = [], _ diagnostics: [MXDiagnosticPayload] = []) {
    for subscriber in lock.withLock({ subscribers.values.compactMap(\.object) }) {
      if !metrics.isEmpty { subscriber.didReceive(metrics) }
      if !diagnostics.isEmpty { subscriber.didReceive(diagnostics) }
    }
  }

  /// How many objects are subscribed.
  public var subscriberCount: Int { lock.withLock { subscribers.count } }
}

// https://developer.apple.com/documentation/metrickit/mxmetricmanagersubscriber
// Both methods are optional there, as implementations by default stand for here.
@available(iOS 13, macOS 10.15, visionOS 1, *)
public protocol MXMetricManagerSubscriber: NSObjectProtocol {
  func didReceive(_ payloads: [MXMetricPayload])
  @available(iOS 14, macOS 12, visionOS 1, *)
  func didReceive(_ payloads: [MXDiagnosticPayload])
}

@available(iOS 13, macOS 12, visionOS 1, *)
extension MXMetricManagerSubscriber {
  public func didReceive(_ payloads: [MXMetricPayload]) {}
  public func didReceive(_ payloads: [MXDiagnosticPayload]) {}
}
