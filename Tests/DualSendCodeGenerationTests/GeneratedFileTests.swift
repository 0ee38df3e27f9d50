import DualSendCodeGeneration
import Foundation
import Testing

/// Files of this repository that the generator has written. `RECORD_GENERATED=1` writes them anew; such a run fails.
@Suite("Generated files")
struct GeneratedFileTests {
  private static let isRecording = ProcessInfo.processInfo.environment["RECORD_GENERATED"] == "1"

  private func check(_ text: String, against file: URL) throws {
    if Self.isRecording {
      try Data(text.utf8).write(to: file)
      Issue.record("recorded \(file.lastPathComponent)")
    }
    #expect(try Data(contentsOf: file) == Data(text.utf8), "\(file.lastPathComponent) is not what is generated today")
  }

  @Test(
    "the tests compile what is generated today",
    arguments: [("shop", EventCodeGenerator.Access.internal), ("hostile", .public)])
  func code(_ name: String, _ access: EventCodeGenerator.Access) throws {
    let table = name + "-remapping.json"
    let code = try EventCodeGenerator(access: access, missingRows: .follow).code(
      for: EventSpecification(json: Fixture.bytes(name + ".json")),
      remapping: RemappingSource(Fixture.bytes(table), name: table))
    #expect(code.warnings.isEmpty)
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Generated")
    try check(code.text, against: folder.appendingPathComponent(name.capitalized + "Events.swift"))
  }

  @Test("the shop's one JSON file is what its Markdown files say")
  func json() throws {
    let folder = try EventSpecification(contentsOf: Fixture.folder.appendingPathComponent("shop"))
    try check(folder.json, against: Fixture.folder.appendingPathComponent("shop.json"))
  }
}
