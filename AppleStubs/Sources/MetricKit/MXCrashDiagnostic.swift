// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

// A stand-in: an object has the values that a test gives it.

// https://developer.apple.com/documentation/metrickit/mxcrashdiagnostic
open class MXCrashDiagnostic: MXDiagnostic {
  public let callStackTree: MXCallStackTree
  public let exceptionType: NSNumber?
  public let exceptionCode: NSNumber?
  public let signal: NSNumber?
  public let terminationReason: String?
  public let virtualMemoryRegionInfo: String?
  public let exceptionReason: MXCrashDiagnosticObjectiveCExceptionReason?

  public init(
    _ system: System, callStackTree: MXCallStackTree, exceptionType: NSNumber? = nil, exceptionCode: NSNumber? = nil,
    signal: NSNumber? = nil, terminationReason: String? = nil, virtualMemoryRegionInfo: String? = nil,
    exceptionReason: MXCrashDiagnosticObjectiveCExceptionReason? = nil
  ) {
    self.callStackTree = callStackTree
    self.exceptionType = exceptionType
    self.exceptionCode = exceptionCode
    self.signal = signal
    self.terminationReason = terminationReason
    self.virtualMemoryRegionInfo = virtualMemoryRegionInfo
    self.exceptionReason = exceptionReason
    super.init(system)
  }
}

// https://developer.apple.com/documentation/metrickit/mxcrashdiagnosticobjectivecexceptionreason
open class MXCrashDiagnosticObjectiveCExceptionReason: NSObject {
  public var composedMessage: String
  public var className: String
  public var exceptionName: String

  public init(composedMessage: String, className: String, exceptionName: String) {
    self.composedMessage = composedMessage
    self.className = className
    self.exceptionName = exceptionName
  }
}
