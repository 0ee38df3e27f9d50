package import DualSend
import DualSendJSONLines
package import DualSendRemapping
package import Foundation

/// The pairs of two streams, before any table says which names belong together.
package struct StreamPairs: Sendable {
  /// How the two lines of an event find each other.
  package enum Rule: Sendable, Hashable {
    /// By the id that both lines carry, under this parameter of the old payload or as `eventId`.
    case eventID(parameter: String?)
    /// By unit and order in time: the lines of a unit are sorted by time, and each old one takes the first new one that is
    /// at most `window` milliseconds away, whatever the two are called.
    case order(unit: KeyPathPattern?, window: Int64)
  }

  /// One event as both sinks have it.
  package struct Pair: Sendable {
    package let oldName: String
    package let old: [String: EventValue]
    package let newName: String
    package let new: [String: EventValue]
    /// How long both lines are.
    package let byteCount: Int

    package init(
      oldName: String, old: [String: EventValue], newName: String, new: [String: EventValue], byteCount: Int = 0
    ) {
      (self.oldName, self.old, self.newName, self.new, self.byteCount) = (oldName, old, newName, new, byteCount)
    }
  }

  /// What became of the lines.
  package struct Counts: Sendable {
    package internal(set) var pairs = 0
    /// Lines without a partner, and those that repeat an id.
    package internal(set) var lone = 0
    /// The numbers of the first lines that are no events.
    package internal(set) var malformed: (old: [Int], new: [Int]) = ([], [])
    package internal(set) var malformedCount = 0
  }

  private static let partitionBytes = 16 << 20
  private static let namedLines = 5

  private let rule: Rule
  private var counts = Counts()

  package init(_ rule: Rule) {
    self.rule = rule
  }

  /// Calls `body` with each pair: by id in an order that looks random and is always the same, else in the order of time.
  ///
  /// Memory stays bounded whatever the streams' sizes: what does not fit waits in a temporary file.
  ///
  /// - Throws: ``ParityError`` if a file cannot be read, or the temporary folder cannot take the lines.
  package static func forEach(
    old: URL, new: URL, joinedBy rule: Rule, _ body: (Pair) -> Void
  ) throws(ParityError) -> Counts {
    do {
      var pairs = StreamPairs(rule)
      let sizes = try [old, new].map { try $0.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0 }
      let join = pairs.lineJoin(expectedBytes: sizes.reduce(0, +))
      try pairs.read(old, .old, into: join)
      try pairs.read(new, .new, into: join)
      try join.forEachMatch(in: .all) { pairs.hand($0, to: body) }
      return pairs.counts
    } catch let error as ParityError {
      throw error
    } catch {
      throw ParityError(reason: error.localizedDescription)
    }
  }

  private func lineJoin(expectedBytes: Int) -> any LineJoin {
    switch rule {
    case .eventID: IDJoin(expectedBytes: expectedBytes, partitionBytes: Self.partitionBytes)
    case .order(_, let window): OrderJoin(window: window, chunkBytes: Self.partitionBytes)
    }
  }

  private mutating func read(_ file: URL, _ side: StreamSide, into join: any LineJoin) throws {
    var lines = try LineReader(file)
    try lines.forEachLine { bytes, number, isCut in
      guard bytes.contains(where: { $0 > 0x20 }) else { return }
      guard !isCut, let line = EventLine(bytes, form: side == .old ? .legacy : .wire), let key = key(of: line, side)
      else { return countMalformed(side, number) }
      let header = LineHeader(key: key, side: side, time: line.milliseconds ?? 0, line: number)
      try join.add(LineRecord(line, header))
    }
    if let failure = lines.failure { throw failure }
  }

  private func key(of line: EventLine, _ side: StreamSide) -> TextHash? {
    switch rule {
    case .eventID(let parameter):
      let comparer = ParityComparer(table: RemappingTable(), join: .eventID(parameter: parameter))
      return LineKeys(comparer: comparer, newForm: .wire).key(of: line, side)
    case .order(let unit, _):
      guard line.milliseconds != nil else { return nil }
      var key = TextHash()
      let id = side == .old ? line.unitID : unit.flatMap { unit in line.payload.flatMap { unit.value(in: $0)?.unitID } }
      if unit != nil, let id { key.add(id) }
      return key
    }
  }

  private mutating func hand(_ match: LineMatch, to body: (Pair) -> Void) {
    guard case .pair(let old, let new) = match else { return counts.lone += 1 }
    guard let oldName = old.line.eventName, var payload = old.line.payload else {
      return countMalformed(.old, old.header.line)
    }
    guard let newName = new.line.eventName, let newPayload = new.line.payload else {
      return countMalformed(.new, new.header.line)
    }
    if case .eventID(let parameter?) = rule {
      payload[parameter] = nil
      _ = StampReader.take(from: &payload)
    }
    counts.pairs += 1
    body(
      Pair(
        oldName: oldName, old: payload, newName: newName, new: newPayload,
        byteCount: old.line.bytes.count + new.line.bytes.count))
  }

  private mutating func countMalformed(_ side: StreamSide, _ line: Int) {
    counts.malformedCount += 1
    if side == .old, counts.malformed.old.count < Self.namedLines { counts.malformed.old.append(line) }
    if side == .new, counts.malformed.new.count < Self.namedLines { counts.malformed.new.append(line) }
  }
}
