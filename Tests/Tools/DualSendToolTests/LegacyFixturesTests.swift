import DualSendCommandLine
import DualSendCommandTesting
import DualSendCore
import DualSendRemapping
import DualSendRollout
import Foundation
import Testing

@Suite("The sample files", .timeLimit(.minutes(5)))
struct LegacyFixturesTests {
  /// With `RECORD_LEGACY_FIXTURES=1` in the environment, it writes the files, and fails.
  @Test("are what their generator gives, byte for byte")
  func committedFilesAreCurrent() throws {
    let isRecording = ProcessInfo.processInfo.environment["RECORD_LEGACY_FIXTURES"] == "1"
    for file in LegacyFixtures.files() {
      let url = LegacyFiles.folder.appendingPathComponent(file.path)
      #expect(try Data(contentsOf: url) == Data(file.bytes), "\(file.path)")
      if isRecording { try Data(file.bytes).write(to: url, options: .atomic) }
    }
    #expect(!isRecording, "a recording run proves nothing")
  }

  @Test("hold other events with another seed")
  func seeds() throws {
    let (files, others) = (LegacyFixtures.files(), LegacyFixtures.files(seed: 1))
    #expect(zip(files, others).filter { $0.bytes != $1.bytes }.map(\.0.path) == ["legacy/events.jsonl"])
  }

  @Test("cover enough names and units, and some events without a unit")
  func variety() throws {
    let events = try LegacyFiles.events()
    #expect(events.count == 6000)
    #expect(Set(events.map(\.name)).count >= 36)
    #expect(Set(events.compactMap(\.unitID)).count == 450)
    #expect(events.contains { $0.unitID == nil })
  }

  @Test(
    "hold every type of value at the top of a payload",
    arguments: ["null", "bool", "int", "double", "string", "array", "object"])
  func types(_ type: String) throws {
    #expect(try LegacyFiles.events().contains { $0.parameters.values.contains { $0.typeName == type } })
  }

  @Test(
    "hold text that breaks careless code", arguments: ["抹茶", "👩‍👩‍👧", "e\u{301}", "نعناع", #"\n"#, #"\\"#, #"\""#])
  func text(_ sample: String) throws {
    #expect(try LegacyFiles.bytes("events.jsonl").firstRange(of: Data(sample.utf8)) != nil)
  }

  @Test("hold a remapping table without a finding")
  func tableIsClean() throws {
    #expect(try RemappingTable(reading: LegacyFiles.bytes("remapping.json")).warnings.isEmpty)
  }

  @Test("hold a remapping table that fits every event: no clash, nothing that cannot be converted or loses digits")
  func tableFits() throws {
    let table = try RemappingTable(reading: LegacyFiles.bytes("remapping.json"))
    let misfits = try LegacyFiles.events().filter { event in
      let remapped = table.apply(to: event.name, payload: event.parameters)
      return remapped.clashes + remapped.conversionFailures + remapped.lossyConversions > 0
    }
    #expect(Set(misfits.map(\.name)) == [])
  }

  @Test("hold rollouts without a finding, one revision after the other", arguments: 1...5)
  func rolloutIsClean(_ stage: Int) throws {
    let document = try RolloutDocument(reading: LegacyFiles.bytes("rollout-\(stage).json"))
    #expect(document.warnings.isEmpty)
    #expect(document.revision == Int64(stage))
  }

  @Test(
    "hold rollouts that take everybody from the old logger to the new tracker",
    arguments: zip(
      1...5, [[.oldOnly], [.oldOnly, .both], [.both], [.both, .newOnly], [.newOnly]] as [Set<SinkDecision.Outcome>]))
  func journey(_ stage: Int, _ outcomes: Set<SinkDecision.Outcome>) throws {
    let snapshot = RolloutSnapshot(try RolloutDocument(reading: LegacyFiles.bytes("rollout-\(stage).json")))
    let decided = try LegacyFiles.events().map { event in
      snapshot.decision(for: event.name, context: DecisionContext(unitID: event.unitID)).outcome
    }
    #expect(Set(decided) == outcomes)
  }
}
