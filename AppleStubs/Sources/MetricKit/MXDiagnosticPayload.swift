// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

// A stand-in: an object has the values that a test gives it.

// https://developer.apple.com/documentation/metrickit/mxdiagnosticpayload
@available(iOS 14, macOS 12, visionOS 1, *)
open class MXDiagnosticPayload: NSObject {
  public let timeStampBegin: Date
  public let timeStampEnd: Date
  public let crashDiagnostics: [MXCrashDiagnostic]?
  public let hangDiagnostics: [MXHangDiagnostic]?
  #if !os(macOS)
    @available(iOS 16, visionOS 1, *)
    public let appLaunchDiagnostics: [MXAppLaunchDiagnostic]?
  #endif
  public let cpuExceptionDiagnostics: [MXCPUExceptionDiagnostic]?
  public let diskWriteExceptionDiagnostics: [MXDiskWriteExceptionDiagnostic]?

  public init(
    timeStampBegin: Date, timeStampEnd: Date, crashDiagnostics: [MXCrashDiagnostic]? = nil,
    hangDiagnostics: [MXHangDiagnostic]? = nil, appLaunchDiagnostics: [MXDiagnostic]? = nil,
    cpuExceptionDiagnostics: [MXCPUExceptionDiagnostic]? = nil,
    diskWriteExceptionDiagnostics: [MXDiskWriteExceptionDiagnostic]? = nil
  ) {
    self.timeStampBegin = timeStampBegin
    self.timeStampEnd = timeStampEnd
    self.crashDiagnostics = crashDiagnostics
    self.hangDiagnostics = hangDiagnostics
    #if !os(macOS)
      self.appLaunchDiagnostics = appLaunchDiagnostics as? [MXAppLaunchDiagnostic]
    #endif
    self.cpuExceptionDiagnostics = cpuExceptionDiagnostics
    self.diskWriteExceptionDiagnostics = diskWriteExceptionDiagnostics
  }
}

// https://developer.apple.com/documentation/metrickit/mxdiagnostic
@available(iOS 14, macOS 12, visionOS 1, *)
open class MXDiagnostic: NSObject {
  /// What all diagnostics have.
  public struct System {
    public var applicationVersion: String
    public var metaData: MXMetaData
    public var json: Data

    public init(applicationVersion: String, metaData: MXMetaData, json: Data) {
      self.applicationVersion = applicationVersion
      self.metaData = metaData
      self.json = json
    }
  }

  private let system: System

  public init(_ system: System) {
    self.system = system
  }

  public var applicationVersion: String { system.applicationVersion }
  public var metaData: MXMetaData { system.metaData }

  public func jsonRepresentation() -> Data { system.json }
}

// https://developer.apple.com/documentation/metrickit/mxcallstacktree
@available(iOS 14, macOS 12, visionOS 1, *)
open class MXCallStackTree: NSObject {
  private let json: Data

  public init(json: Data) {
    self.json = json
  }

  public func jsonRepresentation() -> Data { json }
}

// https://developer.apple.com/documentation/metrickit/mxhangdiagnostic
@available(iOS 14, macOS 12, visionOS 1, *)
open class MXHangDiagnostic: MXDiagnostic {
  public let callStackTree: MXCallStackTree
  public let hangDuration: Measurement<UnitDuration>

  public init(_ system: System, callStackTree: MXCallStackTree, hangDuration: Measurement<UnitDuration>) {
    self.callStackTree = callStackTree
    self.hangDuration = hangDuration
    super.init(system)
  }
}

#if !os(macOS)
  // https://developer.apple.com/documentation/metrickit/mxapplaunchdiagnostic
  @available(iOS 16, visionOS 1, *)
  open class MXAppLaunchDiagnostic: MXDiagnostic {
    public let callStackTree: MXCallStackTree
    public let launchDuration: Measurement<UnitDuration>

    public init(_ system: System, callStackTree: MXCallStackTree, launchDuration: Measurement<UnitDuration>) {
      self.callStackTree = callStackTree
      self.launchDuration = launchDuration
      super.init(system)
    }
  }
#endif

// https://developer.apple.com/documentation/metrickit/mxcpuexceptiondiagnostic
@available(iOS 14, macOS 12, visionOS 1, *)
open class MXCPUExceptionDiagnostic: MXDiagnostic {
  public let callStackTree: MXCallStackTree
  public let totalCPUTime: Measurement<UnitDuration>
  public let totalSampledTime: Measurement<UnitDuration>

  public init(
    _ system: System, callStackTree: MXCallStackTree, totalCPUTime: Measurement<UnitDuration>,
    totalSampledTime: Measurement<UnitDuration>
  ) {
    self.callStackTree = callStackTree
    self.totalCPUTime = totalCPUTime
    self.totalSampledTime = totalSampledTime
    super.init(system)
  }
}

// https://developer.apple.com/documentation/metrickit/mxdiskwriteexceptiondiagnostic
@available(iOS 14, macOS 12, visionOS 1, *)
open class MXDiskWriteExceptionDiagnostic: MXDiagnostic {
  public let callStackTree: MXCallStackTree
  public let totalWritesCaused: Measurement<UnitInformationStorage>

  public init(_ system: System, callStackTree: MXCallStackTree, totalWritesCaused: Measurement<UnitInformationStorage>)
  {
    self.callStackTree = callStackTree
    self.totalWritesCaused = totalWritesCaused
    super.init(system)
  }
}
