// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

// A stand-in: an object has the values that a test gives it.

// https://developer.apple.com/documentation/metrickit/mxcrashdiagnostic
@available(iOS 14, macOS 12, visionOS 1, *)
open class MXCrashDiagnostic: MXDiagnostic {
  public let callStackTree: MXCallStackTree
  public let exceptionType: NSNumber?
  public let exceptionCode: NSNumber?
  public let signal: NSNumber?
  public let terminationReason: String?
  public let virtualMemoryRegionInfo: String?
  @available(iOS 17, macOS 14, visionOS 1, *)
  public var exceptionReason: MXCrashDiagnosticObjectiveCExceptionReason? {
    reason as? MXCrashDiagnosticObjectiveCExceptionReason
  }
  private let reason: NSObject?

  public init(
    _ system: System, callStackTree: MXCallStackTree, exceptionType: NSNumber? = nil, exceptionCode: NSNumber? = nil,
    signal: NSNumber? = nil, terminationReason: String? = nil, virtualMemoryRegionInfo: String? = nil,
    exceptionReason: NSObject? = nil
  ) {
    self.callStackTree = callStackTree
    self.exceptionType = exceptionType
    self.exceptionCode = exceptionCode
    self.signal = signal
    self.terminationReason = terminationReason
    self.virtualMemoryRegionInfo = virtualMemoryRegionInfo
    reason = exceptionReason
    super.init(system)
  }
}

// https://developer.apple.com/documentation/metrickit/mxcrashdiagnosticobjectivecexceptionreason
@available(iOS 17, macOS 14, visionOS 1, *)
open class MXCrashDiagnosticObjectiveCExceptionReason: NSObject {
  public let composedMessage: String
  public let className: String
  public let exceptionName: String

  public init(composedMessage: String, className: String, exceptionName: String) {
    self.composedMessage = composedMessage
    self.className = className
    self.exceptionName = exceptionName
  }
}
