import DualSendCollector
import DualSendCore
import Foundation
import Testing

@Suite("The collector's output file", .timeLimit(.minutes(5)))
struct CollectorOutputTests {
  private let file = FileManager.default.temporaryDirectory.appendingPathComponent("collector-\(UUID()).jsonl")

  @Test("holds each unique event as one line of canonical JSON")
  func writesLines() async throws {
    let batch = events("a", "日本")
    try await CollectorClient.with(CollectorConfiguration(output: file)) { client async throws in
      _ = try await client.post(batch)
      _ = try await client.post(batch)
    }
    let expected = batch.map { wireElement($0).canonicalText + "\n" }.joined()
    #expect(try String(contentsOf: file, encoding: .utf8) == expected)
    try FileManager.default.removeItem(at: file)
  }

  @Test("makes its events duplicates for the next run, and a torn last line does no harm")
  func resumes() async throws {
    let batch = events("a", "b")
    try Data((wireElement(batch[0]).canonicalText + "\n{\"eventId\":\"01").utf8).write(to: file)
    try await CollectorClient.with(CollectorConfiguration(output: file)) { client async throws in
      #expect(try await client.post(batch).json == ["accepted": 1, "duplicates": 1])
    }
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    #expect(
      lines.map(String.init) == [
        wireElement(batch[0]).canonicalText, "{\"eventId\":\"01", wireElement(batch[1]).canonicalText,
      ])
    try FileManager.default.removeItem(at: file)
  }
}
