import DualSend
@_spi(Tools) import DualSendRemapping
@_spi(Tools) import DualSendRollout
@_spi(Tools) import DualSendTracking
import Foundation
import Testing

private let installationID = "unit-1"

// README: the adapter
func makeLogger(old: any OldLogger, remapping: [UInt8], rollout: [UInt8]) throws -> DualSendTracker {
  guard let collector = URL(string: "https://collector.example/events") else { throw URLError(.badURL) }
  return DualSendTracker(
    oldLogger: old,
    tracker: Tracker(endpoint: collector),
    remapping: try RemappingTable(remapping, name: "remapping.json"),
    rollout: RolloutSnapshot(try RolloutDocument(reading: rollout, name: "rollout.json")),
    unitID: { installationID })
}
// README: the end

private func callSite(oldLogger: any OldLogger, remappingJSON: [UInt8], rolloutJSON: [UInt8]) throws {
  // README: the call site
  let logger = try makeLogger(old: oldLogger, remapping: remappingJSON, rollout: rolloutJSON)
  logger.logEvents(name: "home.like_button.tap", parameters: [["item_id": 42, "liked": "1"]])
  // README: the end
}

private func trackerAlone(collector: URL) async {
  // README: the tracker alone
  let tracker = Tracker(endpoint: collector)
  tracker.sendLog(name: "home.view", payload: ["item_id": 42])
  await tracker.flush()
  // README: the end
}

@Suite("README's examples")
struct ReadmeExampleTests {
  @Test("stand in README as they are compiled here", arguments: ["the adapter", "the call site", "the tracker alone"])
  func verbatim(name: String) throws {
    let source = try String(contentsOfFile: #filePath, encoding: .utf8)
    let example = try #require(source.components(separatedBy: "// README: \(name)\n").dropFirst().first)
      .components(separatedBy: "// README: the end")[0]
    let lines = example.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    let indentation = lines.first?.prefix { $0 == " " } ?? ""
    let code = lines.map { $0.dropFirst(indentation.count) }.joined(separator: "\n")
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let readme = try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
    #expect(readme.contains("\n\(code)\n"))
  }
}
