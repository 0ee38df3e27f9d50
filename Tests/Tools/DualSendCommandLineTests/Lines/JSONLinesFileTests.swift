import DualSendCommandLine
import Foundation
import Testing

@Suite("A file of lines", .timeLimit(.minutes(5)))
final class JSONLinesFileTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("lines-\(UUID())")
  private var file: URL { folder.appendingPathComponent("new/out.jsonl") }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  private func written(_ lines: [String]) throws -> String {
    var output = try JSONLinesFile(appendingTo: file)
    for line in lines { try output.append(line.utf8) }
    try output.close()
    return try String(contentsOf: file, encoding: .utf8)
  }

  @Test("is created with its folders")
  func creates() throws {
    #expect(try written(["{}", "[]"]) == "{}\n[]\n")
  }

  @Test("is appended to")
  func appends() throws {
    _ = try written(["1"])
    #expect(try written(["2"]) == "1\n2\n")
  }

  @Test("gets a line feed after a last line that was cut off")
  func closesTornLine() throws {
    _ = try written([])
    try Data("{\"a\":".utf8).write(to: file)
    #expect(try written(["2"]) == "{\"a\":\n2\n")
  }

  @Test("holds what was flushed before it is closed")
  func flushes() throws {
    var output = try JSONLinesFile(appendingTo: file)
    try output.append("1".utf8)
    #expect(try Data(contentsOf: file).isEmpty)
    try output.flush()
    #expect(try Data(contentsOf: file) == Data("1\n".utf8))
  }

  @Test("takes more than fits into its buffer")
  func large() throws {
    let lines = (0..<100_000).map(String.init)
    #expect(try written(lines) == lines.map { $0 + "\n" }.joined())
  }
}
