import DualSendCore
import DualSendRollout
import Foundation
import Testing

@Suite struct FixtureDocumentTests {
  static func files(_ folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: Fixture.folder.appendingPathComponent(folder).path)
      .filter { $0.hasSuffix(".json") }.map { folder + "/" + $0 }.sorted()
  }

  @Test(
    "a valid document is read without a warning", arguments: try files("rollout/valid"))
  func valid(path: String) throws {
    #expect(try RolloutDocument(reading: Fixture.data(path), name: path).warnings.isEmpty)
  }

  @Test(
    "an invalid document is refused with the code that its name starts with, and with a place",
    arguments: try files("rollout/invalid") + files("rollout/invalid/beyond-schema").filter { !isFoundByProof($0) })
  func invalid(path: String) throws {
    let error = #expect(throws: DocumentError.self) { try RolloutDocument(reading: Fixture.data(path), name: path) }
    let finding = try #require(error?.diagnostics.first { $0.severity == .error })
    let file = try #require(path.split(separator: "/").last)
    #expect(file.hasPrefix(finding.code.rawValue + "-"))
    #expect(finding.file == path)
    #expect(finding.position != nil)
  }

  @Test(
    "a document that leaves units without a sink is read, and gives none of them neither",
    arguments: try files("rollout/invalid/beyond-schema").filter(isFoundByProof))
  func neither(path: String) throws {
    let document = try RolloutDocument(reading: Fixture.data(path), name: path)
    for time in [nil, document.changeTimes.last] {
      let snapshot = RolloutSnapshot(document, at: time)
      for context in (0..<1000).map({ DecisionContext(unitID: "unit-\($0)", platform: "iOS") }) + [DecisionContext()] {
        #expect(snapshot.decision(for: "home.tap", context: context).outcome != .neither)
      }
    }
  }

  private static func isFoundByProof(_ path: String) -> Bool { path.contains("DS0210") }
}
