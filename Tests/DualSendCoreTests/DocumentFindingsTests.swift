import DualSendCore
import Testing

@Suite("A document with very many faults", .timeLimit(.minutes(5)))
struct DocumentFindingsTests {
  private func reader(_ text: String) throws -> DocumentReader {
    try DocumentReader(Array(text.utf8), name: "input.json")
  }

  private func object(keys: some Sequence<Int>) -> String {
    "{" + keys.map { "\"k\($0)\":0" }.joined(separator: ",\n") + "}"
  }

  @Test("is told with a hundred findings and the number of the others")
  func isBounded() throws {
    var reader = try reader(object(keys: 1...250))
    _ = reader.members(of: reader.document.root, at: EventPath(), known: [])
    let diagnostics = reader.diagnostics
    #expect(diagnostics.count == 101)
    #expect(diagnostics.last?.message == "and 150 more, from here on")
    #expect(diagnostics.last?.position == DocumentDiagnostic.Position(line: 101, column: 1))
    #expect(diagnostics[99].position == DocumentDiagnostic.Position(line: 100, column: 1))
  }

  @Test("is refused even where the only error comes after a hundred warnings")
  func lateError() throws {
    var reader = try reader("[]")
    for _ in 0..<150 { reader.report(.wrongType, "w", at: 0, path: EventPath(), severity: .warning) }
    #expect(!reader.hasErrors)
    #expect(reader.diagnostics.last?.severity == .warning)
    reader.report(.wrongType, "e", at: 0, path: EventPath())
    #expect(reader.hasErrors)
    #expect(reader.diagnostics.last?.severity == .error)
  }

  @Test("is read in one pass, not in one for every fault", .timeLimit(.minutes(10)))
  func isLinear() throws {
    var reader = try reader(object(keys: 1...100_000))
    _ = reader.members(of: reader.document.root, at: EventPath(), known: ["name", "match", "rules"])
    #expect(reader.diagnostics.last?.message == "and 99900 more, from here on")
  }

  @Test("offers no nearest word for one of a million letters, and takes no time to say so", .timeLimit(.minutes(10)))
  func longWord() {
    let words = (0..<20).map { "shouldSendLogToNewTracker\($0)" }
    #expect(nearestWord(to: String(repeating: "a", count: 2_000_000), among: words) == nil)
    #expect(nearestWord(to: "shouldSendLogToNewTracker", among: words) == words[0])
  }
}
