#if canImport(MetricKit) && (os(iOS) || os(macOS) || os(visionOS))
  import Foundation
  public import MetricKit

  extension HealthDiagnosticPayload {
    /// Creates a payload from MetricKit's.
    public init(_ payload: MXDiagnosticPayload) {
      self.init(begin: payload.timeStampBegin, end: payload.timeStampEnd)
      for crash in payload.crashDiagnostics ?? [] {
        add(crash, .crash, crash.callStackTree, crash: HealthCrash(crash))
      }
      for hang in payload.hangDiagnostics ?? [] {
        add(hang, .hang, hang.callStackTree) { $0.add(.hangDuration, hang.hangDuration) }
      }
      #if !os(macOS)
        for launch in payload.appLaunchDiagnostics ?? [] {
          add(launch, .slowLaunch, launch.callStackTree) { $0.add(.launchDuration, launch.launchDuration) }
        }
      #endif
      for exception in payload.cpuExceptionDiagnostics ?? [] {
        add(exception, .cpuException, exception.callStackTree) {
          $0.add(.exceptionCPUTime, exception.totalCPUTime)
          $0.add(.exceptionSampledTime, exception.totalSampledTime)
        }
      }
      for exception in payload.diskWriteExceptionDiagnostics ?? [] {
        add(exception, .diskWriteException, exception.callStackTree) {
          $0.add(.exceptionDiskWrites, exception.totalWritesCaused)
        }
      }
    }

    private mutating func add(
      _ diagnostic: MXDiagnostic, _ kind: HealthDiagnostic.Kind, _ callStacks: MXCallStackTree,
      crash: HealthCrash? = nil, measure: (inout [HealthReading]) -> Void = { _ in }
    ) {
      var readings: [HealthReading] = []
      measure(&readings)
      diagnostics.append(
        HealthDiagnostic(
          kind, environment: HealthEnvironment(diagnostic.metaData, appVersion: diagnostic.applicationVersion),
          readings: readings, crash: crash, callStacks: HealthCallStackTree(reading: callStacks.jsonRepresentation()),
          json: Array(diagnostic.jsonRepresentation())))
    }
  }

  extension HealthCrash {
    fileprivate init(_ crash: MXCrashDiagnostic) {
      self.init(
        exceptionType: crash.exceptionType?.int64Value, exceptionCode: crash.exceptionCode?.int64Value,
        signal: crash.signal?.int64Value, terminationReason: crash.terminationReason,
        virtualMemoryRegion: crash.virtualMemoryRegionInfo)
      if #available(iOS 17, macOS 14, visionOS 1, *), let reason = crash.exceptionReason {
        exception = Exception(
          name: reason.exceptionName, className: reason.className, message: reason.composedMessage)
      }
    }
  }

  extension HealthEnvironment {
    init(_ metaData: MXMetaData?, appVersion: String) {
      self.init(appVersion: appVersion)
      guard let metaData else { return }
      appBuild = metaData.applicationBuildVersion
      osVersion = metaData.osVersion
      deviceType = metaData.deviceType
      regionFormat = metaData.regionFormat
      platformArchitecture = metaData.platformArchitecture
      if #available(iOS 17, macOS 14, visionOS 1, *) {
        isTestFlightApp = metaData.isTestFlightApp
        isLowPowerModeEnabled = metaData.lowPowerModeEnabled
        processID = Int64(metaData.pid)
      }
    }
  }
#endif
