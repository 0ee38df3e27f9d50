import DualSendCommandTesting
import Foundation
import Testing

@Suite("The list of diagnostics", .timeLimit(.minutes(5)))
struct DiagnosticListTests {
  private static let root = LegacyFiles.folder.deletingLastPathComponent()

  /// Every code that the sources define, as often as they do.
  private func defined() throws -> [String] {
    try ["Sources"].flatMap { folder in
      let files = FileManager.default.enumerator(
        at: Self.root.appendingPathComponent(folder), includingPropertiesForKeys: nil)
      return try (files?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }.flatMap { file in
        try String(contentsOf: file, encoding: .utf8).matches(of: /rawValue: "(DS[0-9]{4})"/).map {
          String($0.output.1)
        }
      }
    }
  }

  /// Every code that has a row in the article, as often as it has.
  private func listed() throws -> [String] {
    let article = Self.root.appendingPathComponent("Sources/DualSend/DualSend.docc/Diagnostics.md")
    return try String(contentsOf: article, encoding: .utf8).split(separator: "\n")
      .compactMap { $0.prefixMatch(of: /\| (DS[0-9]{4})(?: W| \(W\))? \| .+ \| .+ \|/).map { String($0.output.1) } }
  }

  @Test("has every code of the sources once, with its meaning and the way out, and no other")
  func complete() throws {
    #expect(try listed().count > 50)
    #expect(try listed() == defined().sorted())
  }
}
