import DualSendInventory
import DualSendSource
import Foundation
import Testing
@Test func dumpSeeds() throws {
  guard let list = ProcessInfo.processInfo.environment["DUMP_SEEDS"] else { return }
  for seed in list.split(separator: ",").compactMap({ UInt64($0) }) {
    let program = RandomProgram(seed: seed)
    for file in program.files { try file.text.write(toFile: "/tmp/w/tmp-src/seed\(seed)-\(file.name)", atomically: true, encoding: .utf8) }
    let calls = Sources(files: program.files.map { ($0.name, $0.text) }).calls
    for call in calls where call.certainty == .exact {
      guard let truth = program.calls.first(where: { $0.file == call.file && $0.line == call.line }) else { continue }
      let variants = Set(call.events.map { event in KnownVariant(name: event.name, required: Set(event.parameters.filter { !$0.isOptional }.map(\.key)), optional: Set(event.parameters.filter(\.isOptional).map(\.key))) })
      if truth.isOpen || variants != truth.variants { print("DUMP seed\(seed) \(call.file):\(call.line) \(call.summary) TRUTH \(truth.isOpen) \(truth.variants.map { "\($0.name)(\($0.required.sorted()) ?\($0.optional.sorted()))" })") }
    }
  }
}
