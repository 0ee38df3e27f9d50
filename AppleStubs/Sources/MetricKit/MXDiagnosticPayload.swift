// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

// A stand-in: an object has the values that a test gives it.

// https://developer.apple.com/documentation/metrickit/mxdiagnosticpayload
open class MXDiagnosticPayload: NSObject {
  public var timeStampBegin: Date
  public var timeStampEnd: Date
  public var crashDiagnostics: [MXCrashDiagnostic]?
  public var hangDiagnostics: [MXHangDiagnostic]?
  public var appLaunchDiagnostics: [MXAppLaunchDiagnostic]?
  public var cpuExceptionDiagnostics: [MXCPUExceptionDiagnostic]?
  public var diskWriteExceptionDiagnostics: [MXDiskWriteExceptionDiagnostic]?

  public init(
    timeStampBegin: Date, timeStampEnd: Date, crashDiagnostics: [MXCrashDiagnostic]? = nil,
    hangDiagnostics: [MXHangDiagnostic]? = nil, appLaunchDiagnostics: [MXAppLaunchDiagnostic]? = nil,
    cpuExceptionDiagnostics: [MXCPUExceptionDiagnostic]? = nil,
    diskWriteExceptionDiagnostics: [MXDiskWriteExceptionDiagnostic]? = nil
  ) {
    self.timeStampBegin = timeStampBegin
    self.timeStampEnd = timeStampEnd
    self.crashDiagnostics = crashDiagnostics
    self.hangDiagnostics = hangDiagnostics
    self.appLaunchDiagnostics = appLaunchDiagnostics
    self.cpuExceptionDiagnostics = cpuExceptionDiagnostics
    self.diskWriteExceptionDiagnostics = diskWriteExceptionDiagnostics
  }
}

// https://developer.apple.com/documentation/metrickit/mxdiagnostic
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
open class MXCallStackTree: NSObject {
  private let json: Data

  public init(json: Data) {
    self.json = json
  }

  public func jsonRepresentation() -> Data { json }
}

// https://developer.apple.com/documentation/metrickit/mxhangdiagnostic
open class MXHangDiagnostic: MXDiagnostic {
  public let callStackTree: MXCallStackTree
  public let hangDuration: Measurement<UnitDuration>

  public init(_ system: System, callStackTree: MXCallStackTree, hangDuration: Measurement<UnitDuration>) {
    self.callStackTree = callStackTree
    self.hangDuration = hangDuration
    super.init(system)
  }
}

// https://developer.apple.com/documentation/metrickit/mxapplaunchdiagnostic
open class MXAppLaunchDiagnostic: MXDiagnostic {
  public let callStackTree: MXCallStackTree
  public let launchDuration: Measurement<UnitDuration>

  public init(_ system: System, callStackTree: MXCallStackTree, launchDuration: Measurement<UnitDuration>) {
    self.callStackTree = callStackTree
    self.launchDuration = launchDuration
    super.init(system)
  }
}

// https://developer.apple.com/documentation/metrickit/mxcpuexceptiondiagnostic
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
