import DualSendCore
import Foundation
import Testing

@testable import DualSendCommandLine

@Suite("Reading line by line", .timeLimit(.minutes(5)))
final class LineReaderTests {
  private let file = FileManager.default.temporaryDirectory.appendingPathComponent("lines-\(UUID()).txt")

  deinit {
    try? FileManager.default.removeItem(at: file)
  }

  private func lines(_ text: String, maximumLineBytes: Int = 16 << 20) throws -> [LineReader.Line] {
    try Data(text.utf8).write(to: file)
    return Array(try LineReader(file, maximumLineBytes: maximumLineBytes))
  }

  private func texts(_ text: String) throws -> [String] {
    try lines(text).map { String(decoding: $0.bytes, as: UTF8.self) }
  }

  @Test(
    "takes off either line end, and needs none at the end of the file",
    arguments: [
      ("", []), ("a", ["a"]), ("a\n", ["a"]), ("a\nb", ["a", "b"]), ("a\r\nb\r\n", ["a", "b"]), ("\n", [""]),
      ("\n\na\n\n", ["", "", "a", ""]), ("\r\n", [""]), ("a\rb\n", ["a\rb"]), ("a\r\r\n", ["a\r"]), ("a\r", ["a"]),
      ("é\u{2028}x\u{B}y\n", ["é\u{2028}x\u{B}y"]),
    ])
  func lineEnds(_ text: String, _ expected: [String]) throws {
    #expect(try texts(text) == expected)
  }

  @Test("counts every line from 1, empty ones too")
  func numbers() throws {
    #expect(try lines("a\n\nb").map(\.number) == [1, 2, 3])
  }

  @Test("cuts a line at the limit and goes on with the next one")
  func overlong() throws {
    let found = try lines("abcdef\nabc\n\nabcd", maximumLineBytes: 3)
    #expect(found.map { String(decoding: $0.bytes, as: UTF8.self) } == ["abc", "abc", "", "abc"])
    #expect(found.map(\.isCut) == [true, false, false, true])
    #expect(found.map(\.number) == [1, 2, 3, 4])
  }

  @Test("does not count the line end into the limit, nor take a cut line's last byte for one")
  func limitAndLineEnd() throws {
    let found = try lines("abc\r\nab\rdef\r\n", maximumLineBytes: 3)
    #expect(found.map { String(decoding: $0.bytes, as: UTF8.self) } == ["abc", "ab\r"])
    #expect(found.map(\.isCut) == [false, true])
  }

  @Test("finds lines and line ends that lie across the borders of its chunks", arguments: -2...2)
  func chunkBorders(_ shift: Int) throws {
    let chunk = 256 << 10
    let long = String(repeating: "x", count: chunk + shift)
    let expected = [long, "é", "", long, long]
    let found = try texts(expected.joined(separator: "\r\n"))
    #expect(found == expected)
  }

  @Test("keeps a line of several chunks whole, and cuts one beyond the limit")
  func severalChunks() throws {
    let long = String(repeating: "x", count: 1_000_000)
    let found = try lines("\(long)\n\(long)y\nz", maximumLineBytes: 1_000_000)
    #expect(found.map(\.bytes.count) == [1_000_000, 1_000_000, 1])
    #expect(found.map(\.isCut) == [false, true, false])
  }

  @Test("knows how much of the file it has taken")
  func progress() throws {
    try Data("a\nb\n".utf8).write(to: file)
    var reader = try LineReader(file)
    #expect(reader.bytesRead == 0)
    while reader.next() != nil {}
    #expect(reader.bytesRead == 4)
    #expect(reader.failure == nil)
  }

  @Test("says why it could not read to the end")
  func unreadable() throws {
    try Data("a\n".utf8).write(to: file)
    let handle = try FileHandle(forReadingFrom: file)
    try handle.close()
    var reader = LineReader(handle)
    let line = reader.next()
    #expect(line == nil)
    #expect(reader.failure != nil)
    #expect(throws: (any Error).self) {
      try LineReader(FileManager.default.temporaryDirectory.appendingPathComponent("none"))
    }
  }

  @Test("passes over a byte order mark at the start of the file, and nowhere else")
  func byteOrderMark() throws {
    #expect(try lines("\u{FEFF}a\n\u{FEFF}b").map(\.bytes) == [Array("a".utf8), Array("\u{FEFF}b".utf8)])
    #expect(try lines("\u{FEFF}").isEmpty)
    #expect(try lines("\u{FEFF}\n").map(\.bytes) == [[]])
  }

  @Test("reads a packed file as what it holds, a mark at its start passed over, and counts the packed bytes")
  func packed() throws {
    let text = "\u{FEFF}" + (0..<100_000).map { "line \($0)\n" }.joined()
    let bytes = try #require(Zlib.compress(Array(text.utf8), as: .gzip))
    try Data(bytes).write(to: file)
    var reader = try LineReader(file)
    var count = 0
    while let line = reader.next() {
      if count == 99_999 { #expect(String(decoding: line.bytes, as: UTF8.self) == "line 99999") }
      count += 1
    }
    #expect(count == 100_000)
    #expect(reader.failure == nil)
    #expect(reader.bytesRead == bytes.count)
  }

  @Test("says of a packed file that it is cut off, or damaged")
  func damage() throws {
    let bytes = try #require(Zlib.compress(Array("a\nb\n".utf8), as: .gzip))
    let cut = Array(bytes.dropLast(3))
    let continued = bytes + Array("more".utf8)
    for (damaged, damage) in [(cut, TextFile.Damage.cutOff), (continued, .corrupt)] {
      try Data(damaged).write(to: file)
      var reader = try LineReader(file)
      while reader.next() != nil {}
      #expect(reader.failure as? TextFile.Damage == damage)
    }
  }

  /// Packs a text as the command does.
  private func zstd(_ text: String) throws -> Data {
    let (process, output, source) = (Process(), Pipe(), file.appendingPathExtension("txt"))
    try Data(text.utf8).write(to: source)
    defer { try? FileManager.default.removeItem(at: source) }
    let command: URL = try #require(ZstdProcess.command)
    process.executableURL = command
    process.arguments = ["-q", "-c", source.path]
    process.standardOutput = output
    try process.run()
    let packed = try #require(try output.fileHandleForReading.readToEnd())
    process.waitUntilExit()
    return packed
  }

  @Test("reads a zstd file as what it holds", .enabled(if: ZstdProcess.command != nil, "needs the command zstd"))
  func packedByZstd() throws {
    let text = "\u{FEFF}" + (0..<100_000).map { "line \($0)\n" }.joined()
    let packed = try zstd(text)
    // Frames one after the other, as `cat a.zst b.zst` leaves them.
    try (packed + zstd("last\n")).write(to: file)
    var reader = try LineReader(file)
    var texts: [String] = []
    while let line = reader.next() { texts.append(String(decoding: line.bytes, as: UTF8.self)) }
    #expect(texts == (0..<100_000).map { "line \($0)" } + ["last"])
    #expect(reader.failure == nil)
    #expect(reader.bytesRead == packed.count + (try zstd("last\n").count))
  }

  @Test(
    "says of a zstd file that it is damaged, or that it comes by a pipe",
    .enabled(if: ZstdProcess.command != nil, "needs the command zstd"))
  func zstdDamage() throws {
    let packed = try zstd((0..<10_000).map { "line \($0)\n" }.joined())
    for damaged in [packed.dropLast(3), packed.prefix(5), packed + Data("more".utf8)] {
      try Data(damaged).write(to: file)
      var reader = try LineReader(file)
      while reader.next() != nil {}
      #expect(reader.failure as? TextFile.Damage == .zstdFailed)
    }
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: packed.prefix(1))
    try pipe.fileHandleForWriting.write(contentsOf: packed.dropFirst().prefix(1000))
    try pipe.fileHandleForWriting.close()
    var reader = LineReader(pipe.fileHandleForReading)
    #expect(reader.next() == nil)
    #expect(reader.failure as? TextFile.Damage == .zstdInPipe)
  }

  @Test("goes on when a packed file is left in the middle", .enabled(if: ZstdProcess.command != nil))
  func zstdLeft() throws {
    try zstd((0..<1_000_000).map { "line \($0)\n" }.joined()).write(to: file)
    for _ in 0..<3 {
      var reader = try LineReader(file)
      #expect(reader.next()?.bytes == Array("line 0".utf8))
    }
  }
}
