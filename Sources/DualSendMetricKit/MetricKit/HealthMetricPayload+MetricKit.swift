#if canImport(MetricKit) && (os(iOS) || os(visionOS))
  import Foundation
  public import MetricKit

  extension HealthMetricPayload {
    /// Creates a payload from MetricKit's.
    public init(_ payload: MXMetricPayload) {
      self.init(
        environment: HealthEnvironment(payload.metaData, appVersion: payload.latestApplicationVersion),
        includesSeveralVersions: payload.includesMultipleApplicationVersions, begin: payload.timeStampBegin,
        end: payload.timeStampEnd)
      addExits(payload.applicationExitMetrics)
      addResponsiveness(payload)
      addResources(payload)
      addActivity(payload)
      signposts = (payload.signpostMetrics ?? []).map(HealthSignpost.init)
    }

    private mutating func addExits(_ exits: MXAppExitMetric?) {
      guard let exits else { return }
      let (foreground, background) = (exits.foregroundExitData, exits.backgroundExitData)
      let counts: [(AppExitReason, foreground: Int?, background: Int)] = [
        (.normal, foreground.cumulativeNormalAppExitCount, background.cumulativeNormalAppExitCount),
        (.abnormal, foreground.cumulativeAbnormalExitCount, background.cumulativeAbnormalExitCount),
        (
          .memoryResourceLimit, foreground.cumulativeMemoryResourceLimitExitCount,
          background.cumulativeMemoryResourceLimitExitCount
        ),
        (.memoryPressure, nil, background.cumulativeMemoryPressureExitCount),
        (.cpuResourceLimit, nil, background.cumulativeCPUResourceLimitExitCount),
        (.watchdog, foreground.cumulativeAppWatchdogExitCount, background.cumulativeAppWatchdogExitCount),
        (.badAccess, foreground.cumulativeBadAccessExitCount, background.cumulativeBadAccessExitCount),
        (
          .illegalInstruction, foreground.cumulativeIllegalInstructionExitCount,
          background.cumulativeIllegalInstructionExitCount
        ),
        (.backgroundTaskAssertionTimeout, nil, background.cumulativeBackgroundTaskAssertionTimeoutExitCount),
        (.suspendedWithLockedFile, nil, background.cumulativeSuspendedWithLockedFileExitCount),
      ]
      for (reason, foreground, background) in counts {
        readings.add(.exits(.foreground, reason), count: foreground)
        readings.add(.exits(.background, reason), count: background)
      }
    }

    private mutating func addResponsiveness(_ payload: MXMetricPayload) {
      if let launch = payload.applicationLaunchMetrics {
        readings.add(.timeToFirstDraw, launch.histogrammedTimeToFirstDraw)
        readings.add(.optimizedTimeToFirstDraw, launch.histogrammedOptimizedTimeToFirstDraw)
        readings.add(.resumeTime, launch.histogrammedApplicationResumeTime)
        readings.add(.extendedLaunchTime, launch.histogrammedExtendedLaunch)
      }
      readings.add(.hangTime, payload.applicationResponsivenessMetrics?.histogrammedApplicationHangTime)
      readings.add(.scrollHitchRatio, payload.animationMetrics?.scrollHitchTimeRatio)
      #if compiler(>=6.2)  // The SDK that came with it is the first to have this.
        if #available(iOS 26, macOS 26, visionOS 26, *) {
          readings.add(.hitchRatio, payload.animationMetrics?.hitchTimeRatio)
        }
      #endif
    }

    private mutating func addResources(_ payload: MXMetricPayload) {
      readings.add(.cpuTime, payload.cpuMetrics?.cumulativeCPUTime)
      readings.add(.cpuInstructions, payload.cpuMetrics?.cumulativeCPUInstructions)
      readings.add(.gpuTime, payload.gpuMetrics?.cumulativeGPUTime)
      readings.add(.peakMemory, payload.memoryMetrics?.peakMemoryUsage)
      readings.add(.suspendedMemory, payload.memoryMetrics?.averageSuspendedMemory)
      readings.add(.diskWrites, payload.diskIOMetrics?.cumulativeLogicalWrites)
      readings.add(.pixelLuminance, payload.displayMetrics?.averagePixelLuminance)
      #if compiler(>=6.2)
        if #available(iOS 26, macOS 26, visionOS 26, *), let space = payload.diskSpaceUsageMetrics {
          readings.add(.binaryFiles, space.totalBinaryFileSize)
          readings.add(.binaryFileCount, count: space.totalBinaryFileCount)
          readings.add(.dataFiles, space.totalDataFileSize)
          readings.add(.dataFileCount, count: space.totalDataFileCount)
          readings.add(.caches, space.totalCacheFolderSize)
          readings.add(.clones, space.totalCloneSize)
          readings.add(.usedDiskSpace, space.totalDiskSpaceUsedSize)
          readings.add(.diskCapacity, space.totalDiskSpaceCapacity)
        }
      #endif
    }

    private mutating func addActivity(_ payload: MXMetricPayload) {
      if let network = payload.networkTransferMetrics {
        readings.add(.wifiUpload, network.cumulativeWifiUpload)
        readings.add(.wifiDownload, network.cumulativeWifiDownload)
        readings.add(.cellularUpload, network.cumulativeCellularUpload)
        readings.add(.cellularDownload, network.cumulativeCellularDownload)
      }
      readings.add(.cellularBars, payload.cellularConditionMetrics?.histogrammedCellularConditionTime)
      if let time = payload.applicationTimeMetrics {
        readings.add(.foregroundTime, time.cumulativeForegroundTime)
        readings.add(.backgroundTime, time.cumulativeBackgroundTime)
        readings.add(.backgroundAudioTime, time.cumulativeBackgroundAudioTime)
        readings.add(.backgroundLocationTime, time.cumulativeBackgroundLocationTime)
      }
      if let location = payload.locationActivityMetrics {
        readings.add(.bestAccuracyTime, location.cumulativeBestAccuracyTime)
        readings.add(.navigationAccuracyTime, location.cumulativeBestAccuracyForNavigationTime)
        readings.add(.tenMetersAccuracyTime, location.cumulativeNearestTenMetersAccuracyTime)
        readings.add(.hundredMetersAccuracyTime, location.cumulativeHundredMetersAccuracyTime)
        readings.add(.kilometerAccuracyTime, location.cumulativeKilometerAccuracyTime)
        readings.add(.threeKilometersAccuracyTime, location.cumulativeThreeKilometersAccuracyTime)
      }
    }
  }

  extension HealthSignpost {
    fileprivate init(_ signpost: MXSignpostMetric) {
      self.init(category: signpost.signpostCategory, name: signpost.signpostName)
      readings.add(.signpostCount, count: signpost.totalCount)
      guard let interval = signpost.signpostIntervalData else { return }
      readings.add(.signpostDuration, interval.histogrammedSignpostDuration)
      readings.add(.signpostCPUTime, interval.cumulativeCPUTime)
      readings.add(.signpostMemory, interval.averageMemory)
      readings.add(.signpostDiskWrites, interval.cumulativeLogicalWrites)
      readings.add(.signpostHitchRatio, interval.cumulativeHitchTimeRatio)
    }
  }

  extension [HealthReading] {
    fileprivate mutating func add<Kind: Unit>(_ metric: HealthMetric, _ average: MXAverage<Kind>?) {
      guard let average else { return }
      let value = HealthAverage(
        average: HealthQuantity(average.averageMeasurement), standardDeviation: average.standardDeviation,
        sampleCount: Int64(average.sampleCount))
      append(HealthReading(metric, .average(value)))
    }

    fileprivate mutating func add<Kind: Unit>(_ metric: HealthMetric, _ histogram: MXHistogram<Kind>?) {
      guard let histogram else { return }
      var buckets: [HealthHistogram.Bucket] = []
      // Keep the enumerator: each access creates a new one.
      let enumerator = histogram.bucketEnumerator
      while let next = enumerator.nextObject() {
        guard let bucket = next as? MXHistogramBucket<Kind> else { continue }
        buckets.append(
          HealthHistogram.Bucket(
            start: HealthQuantity(bucket.bucketStart), end: HealthQuantity(bucket.bucketEnd),
            count: Int64(bucket.bucketCount)))
      }
      append(HealthReading(metric, .histogram(HealthHistogram(buckets: buckets))))
    }
  }
#endif
