package import DualSendCommandLine
package import DualSendRemapping

/// One of the streams of a comparison in shards.
package enum ShardStream: String, Sendable, Hashable, CaseIterable {
  case old, new
  /// A second recording of the old stream.
  case calibrate

  var side: StreamSide { self == .old ? .old : .new }

  /// The keys of the stream's lines.
  func keys(_ join: JoinRule, _ table: RemappingTable?) -> LineKeys {
    LineKeys(join: join, table: table, newForm: self == .calibrate ? .legacy : .wire)
  }
}

/// Divides the lines of streams into shards. The two lines of a pair are in the same shard.
///
/// Writes `SHARD TAB STREAM:NUMBER TAB LINE` for each line, malformed or not, and at the end of a stream one line
/// `SHARD TAB end TAB …` for each shard. An end has the number of the shard's lines, so that ``ParityComparer`` notices if
/// lines or shards are missing.
package struct ShardWriter {
  /// The longest line that is written: 16 MiB of an event, its shard and its number.
  package static let maximumLineBytes = (16 << 20) + 128

  private static let bufferBytes = 1 << 20
  private static let maximumNumber = 1_000_000_000_000_000

  private let count: Int
  private let join: JoinRule
  private let table: RemappingTable?
  private let mark: String
  private let write: ([UInt8]) throws -> Void
  private var buffer: [UInt8] = []

  /// - Parameters:
  ///   - count: the number of shards, at least 1.
  ///   - table: required by a join by order.
  ///   - mark: identifies the join rule. Without spaces.
  ///   - write: receives the lines, many at a time.
  package init(
    count: Int, join: JoinRule, table: RemappingTable?, mark: String, write: @escaping ([UInt8]) throws -> Void
  ) {
    (self.count, self.join, self.table, self.mark, self.write) = (count, join, table, mark, write)
  }

  /// Writes the lines of a stream, and its ends.
  ///
  /// - Parameters:
  ///   - isNumbered: whether each line is preceded by its number in the stream and a tab. Otherwise the lines are counted.
  ///   - name: the file's name in errors.
  /// - Throws: ``ParityError``, also if `write` fails.
  package mutating func add(
    _ reader: RecordingReader, as stream: ShardStream, isNumbered: Bool = false, name: String
  ) throws(ParityError) {
    do {
      try divide(reader, stream, isNumbered: isNumbered, name: name)
    } catch {
      throw ParityError.wrapped(error)
    }
  }

  private mutating func divide(
    _ lines: RecordingReader, _ stream: ShardStream, isNumbered: Bool, name: String
  ) throws {
    var reader = lines
    let keys = stream.keys(join, table)
    var counts = [Int](repeating: 0, count: count)
    try reader.forEach { event in
      let bytes = try? event.line.get()
      var (number, line) = (event.ordinal, bytes ?? UnsafeBufferPointer(start: nil, count: 0))
      if isNumbered, let bytes {
        guard let (given, rest) = Self.numbered(bytes) else {
          throw ParityError(reason: "line \(event.number) of \(name) has no number and tab before it")
        }
        (number, line) = (given, rest)
      }
      if bytes != nil, !line.contains(where: { $0 > 0x20 }) { return }
      let record = bytes == nil ? nil : keys.record(line, as: stream.side, number: number)
      let shard = record.map { Int($0.header.key.high % UInt64(count)) } ?? number % count
      counts[shard] += 1
      append("\(shard)\t\(stream.rawValue):\(number)\t")
      // A line that cannot be read is malformed, and stays malformed.
      if bytes == nil { append("{") } else { buffer.append(contentsOf: line) }
      append("\n")
      if buffer.count >= Self.bufferBytes { try flush() }
    }
    if let failure = reader.failure { throw failure }
    for (shard, lines) in counts.enumerated() {
      append("\(shard)\tend\t\(ShardEnd(stream: stream, shard: shard, count: count, lines: lines, mark: mark))\n")
    }
    try flush()
  }

  private mutating func append(_ text: String) { buffer.append(contentsOf: text.utf8) }

  private mutating func flush() throws {
    try write(buffer)
    buffer.removeAll(keepingCapacity: true)
  }

  /// A line's own number, and the line after it.
  private static func numbered(
    _ bytes: UnsafeBufferPointer<UInt8>
  ) -> (number: Int, line: UnsafeBufferPointer<UInt8>)? {
    var rest = bytes[...]
    guard let number = ShardLine.takeField(&rest).flatMap(ShardLine.number), (1...maximumNumber).contains(number) else {
      return nil
    }
    return (number, UnsafeBufferPointer(rebasing: rest))
  }
}

/// The end of one stream, or of a part of it, in one shard.
struct ShardEnd: Hashable, CustomStringConvertible {
  let stream: ShardStream
  let shard: Int
  /// The number of shards.
  let count: Int
  /// The number of the stream's lines in the shard.
  let lines: Int
  let mark: String

  init(stream: ShardStream, shard: Int, count: Int, lines: Int, mark: String) {
    (self.stream, self.shard, self.count, self.lines, self.mark) = (stream, shard, count, lines, mark)
  }

  /// Reads what ``description`` wrote.
  init?(_ text: String) {
    let words = text.split(separator: " ")
    guard words.count == 5, let stream = ShardStream(rawValue: String(words[0])), let shard = Int(words[1]),
      let count = Int(words[2]), let lines = Int(words[3]), 0..<max(count, 0) ~= shard,
      0...PartialParity.maximumCount ~= lines
    else { return nil }
    self.init(stream: stream, shard: shard, count: count, lines: lines, mark: String(words[4]))
  }

  var description: String { "\(stream.rawValue) \(shard) \(count) \(lines) \(mark)" }
}

/// A line that ``ShardWriter`` wrote, with or without its shard.
enum ShardLine {
  case event(ShardStream, number: Int, UnsafeBufferPointer<UInt8>)
  case end(ShardEnd)

  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    var rest = bytes[...]
    guard var head = Self.takeField(&rest) else { return nil }
    if Self.number(head) != nil {
      guard let next = Self.takeField(&rest) else { return nil }
      head = next
    }
    let words = String(decoding: head, as: UTF8.self).split(separator: ":")
    if words == ["end"] {
      guard let end = ShardEnd(String(decoding: rest, as: UTF8.self)) else { return nil }
      self = .end(end)
    } else {
      guard words.count == 2, let stream = ShardStream(rawValue: String(words[0])), let number = Int(words[1]),
        number > 0
      else { return nil }
      self = .event(stream, number: number, UnsafeBufferPointer(rebasing: rest))
    }
  }

  /// Removes the first field and its tab; `nil` if there is no tab.
  static func takeField(_ rest: inout Slice<UnsafeBufferPointer<UInt8>>) -> Slice<UnsafeBufferPointer<UInt8>>? {
    guard let tab = rest.firstIndex(of: UInt8(ascii: "\t")) else { return nil }
    defer { rest = rest[(tab + 1)...] }
    return rest[..<tab]
  }

  /// A number of digits only; `nil` if it is something else.
  static func number(_ field: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
    guard !field.isEmpty, field.count <= 18 else { return nil }
    var number = 0
    for byte in field {
      guard 0x30...0x39 ~= byte else { return nil }
      number = number * 10 + Int(byte - 0x30)
    }
    return number
  }
}
