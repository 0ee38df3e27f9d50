import DualSendCodeGeneration
import Foundation

/// Swift from a specification of 500 events: what a build waits for when a description has changed.
enum Generation: Benchmark {
  static let name = "generation"
  private static let eventCount = 500

  static func run() async throws -> BenchmarkReport {
    var report = BenchmarkReport(
      "generation", "\(eventCount) events of 10 parameters, read as JSON", columns: ["CPU seconds"])
    var specifications: [EventSpecification] = []
    let events = Self.events
    let reading = try Measure.processorSeconds { specifications.append(try EventSpecification(json: events.utf8)) }
    let writing = try Measure.processorSeconds {
      keep(try EventCodeGenerator().code(for: specifications[0]).text)
    }
    report.add("read the specification", reading)
    report.add("write Swift", writing)
    let baseline = try Measure.readingAsJSON(Data(events.utf8))
    report.add("JSONSerialization reads it", baseline)
    report.promise(
      .atMost(
        40, "code of \(eventCount) events in 40 times what JSONSerialization reads them in (1 s)",
        found: (reading + writing) / baseline))
    return report
  }

  private static let types = [
    #""int""#, #""string", "nullable": true"#, #""bool""#, #""double""#, #""string", "values": ["0", "1", "2"]"#,
  ]

  private static var events: String {
    let events = (0..<eventCount).map { event in
      let parameters = (0..<10).map { key in
        #""key_\#(key)": {"type": \#(types[key % types.count]), "description": "What it means."}"#
      }
      return
        #""screen\#(event).button.tap": {"description": "A tap.", "parameters": {\#(parameters.joined(separator: ","))}}"#
    }
    return #"{"formatVersion": 1, "specification": {\#(events.joined(separator: ",\n"))}}"#
  }
}
