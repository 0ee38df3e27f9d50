import DualSendMetricKit
import Foundation
import Testing

@Suite("A payload that is not as it should be")
struct PayloadFaultTests {
  @Test("keeps what it does not know, wherever it stands")
  func unknown() throws {
    let payload = try Fixture.metrics("metrics-future")
    #expect(
      payload.unknown == [
        "neuralEngineMetrics": ["cumulativeTime": "12 sec", "levels": [1, 2, ["deep": nil]]],
        "cpuMetrics.cumulativeWakeups": 812, "metaData.storefront": "jp",
        "applicationExitMetrics.backgroundExitData.cumulativeThermalExitCount": 2,
      ])
    #expect(payload.readings.quantity(.cpuTime)?.value == 10)
  }

  @Test("keeps texts that are no quantity, and says where they are")
  func unreadable() throws {
    let payload = try payload(
      #""cpuMetrics": {"cumulativeCPUTime": "quite long"}, "gpuMetrics": {"cumulativeGPUTime": "5 moons"}"#)
    #expect(payload.readings.value(.cpuTime) == .unreadable("quite long"))
    #expect(payload.readings.quantity(.gpuTime)?.unit.symbol == "moons")
    #expect(payload.findings.map(\.code.rawValue) == ["DS0902", "DS0903"])
    #expect(payload.findings.map(\.severity) == [.warning, .warning])
    #expect(payload.textCounts.unreadableTexts == 1 && payload.textCounts.unknownUnits == 1)
    #expect(!payload.findings.description.contains("quite long") && !payload.findings.description.contains("moons"))
  }

  @Test("counts buckets whose ends cannot be read, and leaves them out of the sums")
  func unreadableBuckets() throws {
    let histogram = try #require(
      try payload(
        """
        "applicationLaunchMetrics": {"histogrammedResumeTime": {"histogramNumBuckets": 3, "histogramValue": {
          "0": {"bucketCount": 5, "bucketStart": "1 ms", "bucketEnd": "2 ms"},
          "1": {"bucketCount": 7, "bucketStart": "soon", "bucketEnd": "later"},
          "2": {"bucketCount": 9, "bucketStart": "1 kB", "bucketEnd": "2 kB"}}}}
        """
      ).readings.histogram(.resumeTime))
    #expect(histogram.count == 5)
    #expect(histogram.unreadableBuckets == 2)
  }

  @Test(
    "is refused with its places where a known key has a value that cannot stand there",
    arguments: [
      (#""cpuMetrics": 5"#, "cpuMetrics"),
      (#""cpuMetrics": {"cumulativeCPUTime": true}"#, "cpuMetrics.cumulativeCPUTime"),
      (#""signpostMetrics": {}"#, "signpostMetrics"), (#""metaData": []"#, "metaData"),
      (#""appVersion": 5"#, "appVersion"),
      (
        #""applicationExitMetrics": {"backgroundExitData": {"cumulativeNormalAppExitCount": 1.5}}"#,
        "applicationExitMetrics.backgroundExitData.cumulativeNormalAppExitCount"
      ),
      (
        #""cellularConditionMetrics": {"cellConditionTime": {"histogramValue": {"0": {"bucketStart": "1 bars"}}}}"#,
        "cellularConditionMetrics.cellConditionTime.histogramValue.0"
      ),
    ])
  func wrongTypes(members: String, path: String) throws {
    let error = try #require(throws: DocumentError.self) {
      try HealthMetricPayload(reading: Array("{\(members)}".utf8), name: "payload.json")
    }
    let finding = try #require(error.diagnostics.first)
    #expect(finding.severity == .error)
    #expect(finding.path.description == path)
    #expect(finding.position != nil && finding.file == "payload.json")
  }

  @Test(
    "is refused where it is not JSON, or no object",
    arguments: ["", "{", "[]", "null", #"{"a": 1, "a": 2}"#, "{\"a\": \"\u{1}\"}", "}", "{\"a\": [}"])
  func notJSON(text: String) {
    #expect(throws: DocumentError.self) { try HealthMetricPayload(reading: Array(text.utf8)) }
    #expect(throws: DocumentError.self) { try HealthDiagnosticPayload(reading: Array(text.utf8)) }
  }

  @Test("is refused where it is longer than 4 MiB")
  func tooLong() {
    let text = #"{"x": ""# + String(repeating: "x", count: 4 << 20) + #""}"#
    #expect(throws: DocumentError.self) { try HealthMetricPayload(reading: Array(text.utf8)) }
  }

  @Test("reads null as nothing")
  func null() throws {
    let payload = try payload(#""cpuMetrics": null, "metaData": {"osVersion": null}, "signpostMetrics": null"#)
    #expect(payload.readings.isEmpty && payload.signposts.isEmpty)
  }

  @Test(
    "covers several versions however that is written",
    arguments: [
      (#""multipleAppVersions": "1""#, true), (#""includesMultipleApplicationVersions": true"#, true),
      (#""multipleAppVersions": 1"#, true), (#""multipleAppVersions": "0""#, false),
      (#""includesMultipleApplicationVersions": false"#, false), (#""multipleAppVersions": null"#, false),
    ])
  func severalVersions(member: String, includes: Bool) throws {
    #expect(try payload(member).includesSeveralVersions == includes)
  }
}
