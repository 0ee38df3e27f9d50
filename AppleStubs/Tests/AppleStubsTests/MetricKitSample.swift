import Foundation
import MetricKit

/// Payloads as MetricKit delivers them, with a value of its own in every property.
enum MetricKitSample {
  static let begin = Date(timeIntervalSince1970: 1_772_323_200)

  static func time(_ seconds: Double) -> Measurement<UnitDuration> { Measurement(value: seconds, unit: .seconds) }

  static func size(_ kilobytes: Double) -> Measurement<UnitInformationStorage> {
    Measurement(value: kilobytes, unit: .kilobytes)
  }

  static func own(_ value: Double, _ symbol: String) -> Measurement<Unit> {
    Measurement(value: value, unit: Unit(symbol: symbol))
  }

  static func histogram(_ milliseconds: Double, count: Int) -> MXHistogram<UnitDuration> {
    let bucket = MXHistogramBucket(
      bucketStart: Measurement(value: milliseconds, unit: UnitDuration.milliseconds),
      bucketEnd: Measurement(value: milliseconds + 10, unit: .milliseconds), bucketCount: count)
    let empty = MXHistogramBucket(
      bucketStart: Measurement(value: 5_000, unit: UnitDuration.milliseconds),
      bucketEnd: Measurement(value: 5_010, unit: .milliseconds), bucketCount: 0)
    return MXHistogram([bucket, empty])
  }

  static func metaData() -> MXMetaData {
    MXMetaData(
      regionFormat: "JP", osVersion: "iPhone OS 17.2 (21C62)", deviceType: "iPhone15,2",
      applicationBuildVersion: "2780", platformArchitecture: "arm64e", lowPowerModeEnabled: true,
      isTestFlightApp: false, pid: 412)
  }

  static func metrics(ofSeveralVersions: Bool = false) -> MXMetricPayload {
    let bars = MXHistogramBucket(
      bucketStart: Measurement(value: 1, unit: MXUnitSignalBars.bars),
      bucketEnd: Measurement(value: 1, unit: MXUnitSignalBars.bars), bucketCount: 20)
    return MXMetricPayload(
      latestApplicationVersion: "25.4.10", includesMultipleApplicationVersions: ofSeveralVersions,
      timeStampBegin: begin, timeStampEnd: begin + 86_340,
      cpuMetrics: MXCPUMetric(cumulativeCPUTime: time(1), cumulativeCPUInstructions: own(2, "kiloinstructions")),
      gpuMetrics: MXGPUMetric(cumulativeGPUTime: time(3)),
      cellularConditionMetrics: MXCellularConditionMetric(histogrammedCellularConditionTime: MXHistogram([bars])),
      applicationTimeMetrics: MXAppRunTimeMetric(
        cumulativeForegroundTime: time(4), cumulativeBackgroundTime: time(5), cumulativeBackgroundAudioTime: time(6),
        cumulativeBackgroundLocationTime: time(7)),
      locationActivityMetrics: MXLocationActivityMetric(
        cumulativeBestAccuracyTime: time(8), cumulativeBestAccuracyForNavigationTime: time(9),
        cumulativeNearestTenMetersAccuracyTime: time(10), cumulativeHundredMetersAccuracyTime: time(11),
        cumulativeKilometerAccuracyTime: time(12), cumulativeThreeKilometersAccuracyTime: time(13)),
      networkTransferMetrics: MXNetworkTransferMetric(
        cumulativeWifiUpload: size(14), cumulativeWifiDownload: size(15), cumulativeCellularUpload: size(16),
        cumulativeCellularDownload: size(17)),
      applicationLaunchMetrics: MXAppLaunchMetric(
        histogrammedTimeToFirstDraw: histogram(300, count: 18),
        histogrammedOptimizedTimeToFirstDraw: histogram(200, count: 19),
        histogrammedApplicationResumeTime: histogram(90, count: 20),
        histogrammedExtendedLaunch: histogram(700, count: 21)),
      applicationResponsivenessMetrics: MXAppResponsivenessMetric(
        histogrammedApplicationHangTime: histogram(400, count: 22)),
      diskIOMetrics: MXDiskIOMetric(cumulativeLogicalWrites: size(23)),
      memoryMetrics: MXMemoryMetric(
        peakMemoryUsage: size(24),
        averageSuspendedMemory: MXAverage(averageMeasurement: size(25), sampleCount: 500, standardDeviation: 196.5)),
      displayMetrics: MXDisplayMetric(
        averagePixelLuminance: MXAverage(
          averageMeasurement: Measurement(value: 26, unit: MXUnitAveragePixelLuminance.apl), sampleCount: 7,
          standardDeviation: -1)),
      animationMetrics: MXAnimationMetric(
        scrollHitchTimeRatio: own(27, "ms per s"), hitchTimeRatio: own(28, "ms per s")),
      applicationExitMetrics: exits(),
      diskSpaceUsageMetrics: MXDiskSpaceUsageMetric(
        totalBinaryFileSize: size(29), totalBinaryFileCount: 30, totalDataFileSize: size(31), totalDataFileCount: 32,
        totalCacheFolderSize: size(33), totalCloneSize: size(34), totalDiskSpaceUsedSize: size(35),
        totalDiskSpaceCapacity: size(36)),
      signpostMetrics: signposts(), metaData: metaData())
  }

  private static func exits() -> MXAppExitMetric {
    MXAppExitMetric(
      foregroundExitData: MXForegroundExitData(
        cumulativeNormalAppExitCount: 101, cumulativeMemoryResourceLimitExitCount: 102,
        cumulativeBadAccessExitCount: 103, cumulativeAbnormalExitCount: 104, cumulativeIllegalInstructionExitCount: 105,
        cumulativeAppWatchdogExitCount: 106),
      backgroundExitData: MXBackgroundExitData(
        cumulativeNormalAppExitCount: 201, cumulativeMemoryResourceLimitExitCount: 202,
        cumulativeCPUResourceLimitExitCount: 203, cumulativeMemoryPressureExitCount: 204,
        cumulativeBadAccessExitCount: 205, cumulativeAbnormalExitCount: 206, cumulativeIllegalInstructionExitCount: 207,
        cumulativeAppWatchdogExitCount: 208, cumulativeSuspendedWithLockedFileExitCount: 209,
        cumulativeBackgroundTaskAssertionTimeoutExitCount: 210))
  }

  private static func signposts() -> [MXSignpostMetric] {
    let interval = MXSignpostIntervalData(
      histogrammedSignpostDuration: histogram(100, count: 37), cumulativeCPUTime: time(38),
      averageMemory: MXAverage(averageMeasurement: size(39), sampleCount: 3, standardDeviation: 0),
      cumulativeLogicalWrites: size(40), cumulativeHitchTimeRatio: own(41, "ms per s"))
    return [
      MXSignpostMetric(signpostName: "load", signpostCategory: "feed", signpostIntervalData: interval, totalCount: 42),
      MXSignpostMetric(signpostName: "pay", signpostCategory: "cart", totalCount: 2),
    ]
  }

  static let tree = #"{"callStacks": [{"threadAttributed": true, "callStackRootFrames": [{}]}]}"#

  static func diagnostics() -> MXDiagnosticPayload {
    func system(_ name: String) -> MXDiagnostic.System {
      MXDiagnostic.System(applicationVersion: "25.4.9", metaData: metaData(), json: Data(#"{"is": "\#(name)"}"#.utf8))
    }
    let tree = MXCallStackTree(json: Data(Self.tree.utf8))
    let crash = MXCrashDiagnostic(
      system("crash"), callStackTree: tree, exceptionType: 1, exceptionCode: NSNumber(value: UInt64.max), signal: 11,
      terminationReason: "Namespace SIGNAL", virtualMemoryRegionInfo: "0 is not in any region.",
      exceptionReason: MXCrashDiagnosticObjectiveCExceptionReason(
        composedMessage: "for user 4711", className: "NSArrayM", exceptionName: "NSRangeException"))
    return MXDiagnosticPayload(
      timeStampBegin: begin, timeStampEnd: begin + 1, crashDiagnostics: [crash],
      hangDiagnostics: [MXHangDiagnostic(system("hang"), callStackTree: tree, hangDuration: time(2.5))],
      appLaunchDiagnostics: [MXAppLaunchDiagnostic(system("launch"), callStackTree: tree, launchDuration: time(12.5))],
      cpuExceptionDiagnostics: [
        MXCPUExceptionDiagnostic(
          system("cpu"), callStackTree: tree, totalCPUTime: time(90), totalSampledTime: time(180))
      ],
      diskWriteExceptionDiagnostics: [
        MXDiskWriteExceptionDiagnostic(system("disk"), callStackTree: tree, totalWritesCaused: size(2_147_480))
      ])
  }
}
