import EventModel
import Foundation
import Rollout
import Testing

@Suite struct FixtureDocumentTests {
  static func files(_ folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: Fixture.folder.appendingPathComponent(folder).path)
      .filter { $0.hasSuffix(".json") }.map { folder + "/" + $0 }.sorted()
  }

  @Test(
    "a valid document is read, and neither reading nor the audit finds anything", arguments: try files("rollout/valid"))
  func valid(path: String) throws {
    let document = try RolloutDocument(reading: Fixture.data(path), name: path)
    #expect(try document.audit().isEmpty)
  }

  @Test(
    "an invalid document is refused with the code that its name starts with, and with a place",
    arguments: try files("rollout/invalid") + files("rollout/invalid/beyond-schema"))
  func invalid(path: String) throws {
    let error = #expect(throws: DocumentError.self) { try RolloutDocument(reading: Fixture.data(path), name: path) }
    let finding = try #require(error?.diagnostics.first { $0.severity == .error })
    let file = try #require(path.split(separator: "/").last)
    #expect(file.hasPrefix(finding.code.rawValue + "-"))
    #expect(finding.file == path)
    #expect(finding.position != nil)
  }

  @Test("the schema in code is the schema that is published")
  func schema() throws {
    #expect(Data(RolloutDocument.schema.utf8) == (try Fixture.data("schemas/rollout.schema.json")))
  }
}
