import DualSend
import DualSendRemapping
import DualSendRollout
import Foundation
import Testing

@testable import DualSendTesting

@Suite("A golden file", .timeLimit(.minutes(5)))
final class GoldenTests {
  private let folder = GoldenFolder(
    FileManager.default.temporaryDirectory.appendingPathComponent("golden-\(UUID())/files"))
  private let event = LegacyEvent(
    name: "home.tap", parameters: ["item": 1, "tags": ["a"], "none": [:]], unitID: "unit-1")
  private let recording = ["DUALSEND_RECORD_GOLDEN": "1"]

  deinit {
    try? FileManager.default.removeItem(at: folder.url.deletingLastPathComponent())
  }

  private func adapter(key: String = "item_id", old: Int = 100, new: Int = 100) throws -> GoldenAdapter {
    let table =
      #"{"formatVersion": 1, "events": {"home.tap": {"name": "home.like", "parameters": {"item": "\#(key)"}}}}"#
    let rollout = """
      {"formatVersion": 1, "revision": 1, "salt": "s", "shouldSendLogToOldLogger": \(old),
       "shouldSendLogToNewTracker": \(new)}
      """
    return GoldenAdapter(
      remapping: try RemappingTable(reading: table.utf8),
      rollout: RolloutSnapshot(try RolloutDocument(reading: rollout.utf8)))
  }

  private func record() async throws {
    await #expect(throws: GoldenFailure.recorded(file: "home.tap.json")) {
      try await assertGolden(event, through: adapter(), in: folder, environment: recording)
    }
  }

  private func recorded() throws -> String {
    try String(contentsOf: folder.url.appendingPathComponent("home.tap.json"), encoding: .utf8)
  }

  @Test("holds the input, the decision and why, and what each sink got, a line for each value")
  func content() async throws {
    let text = try await adapter().record(event).text
    #expect(
      text == """
        {
          "input": {
            "name": "home.tap",
            "parameters": {
              "item": 1,
              "none": {},
              "tags": [
                "a"
              ]
            },
            "unitID": "unit-1"
          },
          "decision": {
            "bucket": 96909,
            "newTracker": "shouldSendLogToNewTracker is on: the top level sets 100 %, which asks for bucket < 100000, and the bucket is 96909",
            "oldLogger": "shouldSendLogToOldLogger is on: the top level sets 100 %, which asks for bucket >= 0, and the bucket is 96909",
            "outcome": "both"
          },
          "old": {
            "name": "home.tap",
            "parameters": {
              "item": 1,
              "none": {},
              "tags": [
                "a"
              ]
            }
          },
          "new": {
            "eventId": "019b76da-a800-7daf-9b9e-279aa86e597d",
            "eventName": "home.like",
            "eventTime": 1767225600000,
            "payload": {
              "item_id": 1,
              "none": {},
              "tags": [
                "a"
              ]
            }
          }
        }

        """)
  }

  @Test("differs where a text has other bytes, though Unicode calls it equal")
  func exactText() throws {
    try folder.record("caf\u{E9}\n", named: "a")
    #expect(try folder.verdict(on: "caf\u{E9}\n", named: "a") == .matches)
    guard case .differs(let lines) = try folder.verdict(on: "cafe\u{301}\n", named: "a") else {
      Issue.record("two texts of different bytes match")
      return
    }
    #expect(lines.unicodeScalars.count { $0 == "-" || $0 == "+" } == 2)
  }

  @Test("has null for a sink that gets nothing")
  func oneSink() async throws {
    #expect(try await adapter(new: 0).record(event).text.hasSuffix("\"new\": null\n}\n"))
    #expect(try await adapter(old: 0).record(event).text.contains("\n  \"old\": null,\n"))
  }

  @Test("is the same for the same event however often it is made")
  func stable() async throws {
    let adapter = try adapter()
    let first = await adapter.record(event)
    let second = await adapter.record(event)
    #expect(first == second)
  }

  @Test("is recorded only when the environment asks, by a run that fails; the next run passes")
  func recordThenVerify() async throws {
    await #expect(throws: GoldenFailure.missing(file: "home.tap.json")) {
      try await assertGolden(event, through: adapter(), in: folder, environment: [:])
    }
    #expect(!FileManager.default.fileExists(atPath: folder.url.path))
    try await record()
    try await assertGolden(event, through: adapter(), in: folder, environment: [:])
    // Unchanged, and it still fails: a recording run proves nothing.
    try await record()
  }

  @Test("is not asked for by any other value of the variable", arguments: ["", "0", "true", "yes"])
  func otherValues(_ value: String) throws {
    #expect(try GoldenMode(environment: ["DUALSEND_RECORD_GOLDEN": value]) == .verify)
  }

  @Test("is never recorded where `CI` is set", arguments: ["1", "true", "false"])
  func continuousIntegration(_ value: String) async throws {
    await #expect(throws: GoldenFailure.recordingRefused) {
      try await assertGolden(
        event, through: adapter(), in: folder, environment: recording.merging(["CI": value]) { $1 })
    }
    #expect(!FileManager.default.fileExists(atPath: folder.url.path))
    #expect(try GoldenMode(environment: ["CI": value]) == .verify)
    #expect(try GoldenMode(environment: recording.merging(["CI": ""]) { $1 }) == .record)
  }

  @Test("that a wrong row of the table contradicts fails with the line that differs, and stays as it is")
  func wrongRow() async throws {
    try await record()
    let before = try recorded()
    let error = await #expect(throws: GoldenFailure.self) {
      try await assertGolden(event, through: adapter(key: "itemid"), in: folder, environment: [:])
    }
    guard case .differs("home.tap.json", let lines) = error else { throw try #require(error) }
    let changed = lines.split(separator: "\n").filter { $0.first == "-" || $0.first == "+" }
    #expect(changed == [#"-       "item_id": 1,"#, #"+       "itemid": 1,"#])
    #expect(try recorded() == before)
  }

  @Test("that belongs to no event fails")
  func orphans() async throws {
    try assertNoOrphanedGoldenFiles(in: folder, besides: [])
    try await record()
    try Data().write(to: folder.url.appendingPathComponent("README.md"))
    try assertNoOrphanedGoldenFiles(in: folder, besides: ["home.tap", "not.yet"])
    #expect(throws: GoldenFailure.orphaned(files: ["home.tap.json"])) {
      try assertNoOrphanedGoldenFiles(in: folder, besides: ["home.tab"])
    }
  }

  @Test("that cannot be read or written is said to be so")
  func inaccessible() async throws {
    let path = folder.url.appendingPathComponent("home.tap.json")
    try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
    for environment in [[:], recording] {
      let error = await #expect(throws: GoldenFailure.self) {
        try await assertGolden(event, through: adapter(), in: folder, environment: environment)
      }
      guard case .inaccessible("home.tap.json", _) = error else { throw try #require(error) }
    }
  }

  @Test("can have a name of its own, and every name is one safe file's")
  func fileNames() async throws {
    let names = [
      "home.like_button.tap": "home.like_button.tap.json", "a/b": "a%2Fb.json", "..": "%2E..json",
      ".hidden": "%2Ehidden.json",
      "a b": "a%20b.json", "a%20b": "a%2520b.json", "é": "%C3%A9.json", "": "%.json", "\u{1}": "%01.json",
    ]
    for (name, file) in names { #expect(GoldenFolder.fileName(name) == file) }
    await #expect(throws: GoldenFailure.recorded(file: "second%20case.json")) {
      try await assertGolden(event, named: "second case", through: adapter(), in: folder, environment: recording)
    }
  }

  @Test("has a name that no disk takes for another one, where names differ only in case")
  func caseOfFileNames() {
    var selection = GoldenSelection(perName: 2)
    for (number, name) in ["Tap", "tap", "TAP", "tap", "view"].enumerated() {
      selection.add(LegacyEvent(name: name, parameters: ["n": .int(Int64(number))]))
    }
    let files = selection.cases.map(\.file)
    #expect(Set(files.map { $0.lowercased() }).count == 5)
    #expect(files.first == "TAP.json" && files.last == "view.json")
    #expect(files.filter { $0.contains("~2") }.count == 1)
  }

  @Test("lies beside the test unless another place is named")
  func place() {
    #expect(GoldenFolder().url.path == URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/Golden")
  }
}
