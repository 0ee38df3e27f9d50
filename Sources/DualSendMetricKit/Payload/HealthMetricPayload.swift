public import DualSendCore

/// What `MXMetricPayload.jsonRepresentation()` says, with types: one day of the app's life on one device.
///
/// ```swift
/// let payload = try HealthMetricPayload(reading: bytes)
/// payload.readings.count(.exits(.background, .memoryPressure))  // 13
/// payload.readings.histogram(.timeToFirstDraw)?.average  // 417.5, in `unit`
/// payload.readings.quantity(.peakMemory)?.value(in: .megabytes)  // 200
/// ```
///
/// Keys of a later system are kept in ``unknown``. Texts that cannot be read are kept too, and counted.
public struct HealthMetricPayload: Sendable, ReadablePayload {
  /// The device and the app. Of several versions of the app, the latest.
  public internal(set) var environment = HealthEnvironment()
  /// Whether the payload covers an update of the app, so that its numbers belong to no one version.
  public internal(set) var includesSeveralVersions = false
  /// When the payload begins, as MetricKit writes it; without a zone it is the device's time.
  public internal(set) var begin: String?
  /// When the payload ends, in the same way.
  public internal(set) var end: String?
  /// What was measured, in the order of the payload.
  public internal(set) var readings: [HealthReading] = []
  /// The app's own signposts.
  public internal(set) var signposts: [HealthSignpost] = []
  /// What this version does not know, by its place, such as `cpuMetrics.cumulativeWakeups`.
  public internal(set) var unknown: [String: EventValue] = [:]
  /// Warnings about single texts, sorted by place, at most 100 and one that counts the others.
  public internal(set) var findings: [DocumentDiagnostic] = []
  /// How many such texts there are.
  public internal(set) var textCounts = HealthTextCounts()

  /// Reads a payload of at most 4 MiB.
  ///
  /// - Parameters:
  ///   - name: what errors call the payload.
  ///   - numberFormat: how the device writes numbers, for those that the payload's own texts leave open.
  /// - Throws: what is malformed, each with its place: text that is not JSON, or a known key with a value that cannot
  ///   stand there.
  public init(
    reading bytes: some Sequence<UInt8>, name: String? = nil, numberFormat: HealthNumberFormat? = nil
  ) throws(DocumentError) {
    self = try PayloadReader.read(Array(bytes), name: name, format: numberFormat)
  }

  init(_ members: [JSONNode.Member], _ reader: inout PayloadReader) {
    let root = EventPath()
    var metrics: [JSONNode.Member] = []
    for member in members {
      let place = root.appending(member.key)
      switch member.key {
      // The latest of several, by either of its names.
      case "appVersion", "latestApplicationVersion":
        environment.appVersion = reader.text(member.value, at: place) ?? environment.appVersion
      case "multipleAppVersions", "includesMultipleApplicationVersions":
        includesSeveralVersions = reader.flag(member.value, at: place) || includesSeveralVersions
      case "timeStampBegin": begin = reader.text(member.value, at: place)
      case "timeStampEnd": end = reader.text(member.value, at: place)
      case "signpostMetrics": signposts = reader.signposts(member.value, at: place)
      case "metaData":
        for entry in reader.members(member.value, at: place)
        where !reader.read(entry, at: place, into: &environment) {
          reader.keep(entry, at: place)
        }
      default: metrics.append(member)
      }
    }
    readings = reader.readings(metrics, at: root, in: .payload)
  }
}
