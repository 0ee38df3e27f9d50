import DualSend
import DualSendCore

/// Conversion and encoding of one event of 10 parameters: most of what the tracker does off the caller's path.
enum CanonicalJSON: Benchmark {
  static let name = "json"

  static func run() async throws -> BenchmarkReport {
    let parameters = Workload.parameters(7)
    let value = EventValue.object(Workload.values(7))
    let subjects = [
      Subject("convert to EventValue") {
        var converter = EventValueConverter()
        keep(converter.convert(parameters))
      },
      Subject("write canonical JSON") { keep(value.canonicalJSON) },
    ]
    let samples = await Measure.loops(subjects, callsARound: 1000, rounds: 61)
    var report = BenchmarkReport("json", "a payload of 10 parameters", columns: ["CPU ns", "allocations"])
    for (subject, samples) in zip(subjects, samples) {
      report.add(subject.name, samples.median, Measure.allocations(subject))
    }
    return report
  }
}
