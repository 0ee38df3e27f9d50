import DualSendCodeGeneration
import Foundation
import Testing

/// Files of this repository that the generator has written. `RECORD_GENERATED=1` writes them anew; such a run fails.
@Suite("Generated files", .timeLimit(.minutes(5)))
struct GeneratedFileTests {
  private static let isRecording = ProcessInfo.processInfo.environment["RECORD_GENERATED"] == "1"

  private func check(_ text: String, against file: URL) throws {
    if Self.isRecording {
      try Data(text.utf8).write(to: file)
      Issue.record("recorded \(file.lastPathComponent)")
    }
    #expect(try Data(contentsOf: file) == Data(text.utf8), "\(file.lastPathComponent) is not what is generated today")
  }

  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Generated")

  private func code(_ name: String, _ access: EventCodeGenerator.Access) throws -> GeneratedCode {
    try EventCodeGenerator(access: access).code(for: EventSpecification(reading: Fixture.bytes(name + ".json")))
  }

  @Test("the tests compile what is generated today, a file for each event")
  func files() throws {
    let code = try code("shop", .internal)
    let folder = Self.folder.appendingPathComponent("Shop")
    for file in code.files { try check(file.text, against: folder.appendingPathComponent(file.name)) }
    #expect(Set(try FileManager.default.contentsOfDirectory(atPath: folder.path)) == Set(code.files.map(\.name)))
  }

  @Test("the tests compile what is generated today, in one file")
  func file() throws {
    try check(code("hostile", .public).text, against: Self.folder.appendingPathComponent("HostileEvents.swift"))
  }

  @Test("the shop's one JSON file is what its Markdown files say")
  func json() throws {
    let folder = try EventSpecification(contentsOf: Fixture.folder.appendingPathComponent("shop"))
    try check(folder.json, against: Fixture.folder.appendingPathComponent("shop.json"))
  }
}
