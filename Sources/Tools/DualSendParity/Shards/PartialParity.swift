package import DualSendCommandLine
package import DualSendCore

/// The comparison of some shards, as one line of JSON that can be added to others.
///
/// The numbers are in arrays, whose order is that of ``ParityCount/saved`` and of the other lists of the report.
package struct PartialParity: Sendable {
  private static let formatVersion: Int64 = 1
  /// Far above any stream; low enough that sums of counts cannot overflow.
  static let maximumCount = 1_000_000_000_000

  /// Identifies what was compared and how: only partial results with the same text can be added.
  let comparison: String
  /// The numbers of the shards.
  let shards: [Int]
  /// The number of all shards; 0 if there are no lines.
  let count: Int
  /// The report of these shards, before noise is subtracted.
  let report: ParityReport
  /// The events of both recordings of the old stream; `nil` without a second one.
  let baseline: ParityReport?
}

// MARK: - Comparing

extension ParityComparer {
  /// Compares the lines of some shards, as ``ShardWriter`` wrote them, in any order.
  ///
  /// - Parameters:
  ///   - comparison: identifies what is compared and how.
  ///   - mark: identifies the join rule.
  /// - Throws: ``ParityError`` if a line is missing or was not written by ``ShardWriter`` for the same join.
  package func compareShards(
    _ lines: LineReader, comparison: String, mark: String
  ) throws(ParityError) -> PartialParity {
    do {
      return try partial(of: lines, comparison: comparison, mark: mark)
    } catch {
      throw ParityError.wrapped(error)
    }
  }

  private func partial(of file: LineReader, comparison: String, mark: String) throws -> PartialParity {
    var reader = file
    var shards = ShardCounts(mark: mark)
    let streams = ShardStream.allCases.map { stream in
      var keys = stream.keys(join, table)
      keys.sortsRepeats = true
      return (stream: stream, keys: keys)
    }
    var lines = [SortedLines](repeating: SortedLines(chunkBytes: partitionBytes), count: streams.count)
    var counted = [ParityReport.Stream](repeating: .init(), count: streams.count)
    try reader.forEachLine { bytes, position, isCut in
      guard !isCut, let line = ShardLine(bytes) else {
        throw ParityError(reason: "line \(position) was not written by `parity --shards`")
      }
      switch line {
      case .end(let end): try shards.add(end)
      case .event(let stream, number: let number, let bytes):
        guard let index = streams.firstIndex(where: { $0.stream == stream }) else { return }
        counted[index].lines += 1
        if let record = streams[index].keys.record(bytes, as: stream.side, number: number) {
          try lines[index].append(record)
        } else {
          counted[index].countMalformed(number)
        }
      }
    }
    if let failure = reader.failure { throw failure }
    try shards.check(counted.map(\.lines))
    let meter = ProgressMeter { _ in }
    let sorted = try lines.map { try $0.ended() }
    func compared(with index: Int, countsDays: Bool) throws -> ParityReport {
      var comparer = self
      comparer.countsDays = countsDays
      let lines = SortedJoin(join, old: sorted[0], new: sorted[index], batchBytes: partitionBytes)
      return try comparer.report(of: lines, streams[index].keys, meter)
    }
    var report = try compared(with: 1, countsDays: true)
    report.old.merge(counted[0])
    report.new.merge(counted[1])
    return PartialParity(
      comparison: comparison, shards: shards.numbers, count: shards.count, report: report,
      baseline: shards.hasBaseline ? try compared(with: 2, countsDays: false) : nil)
  }
}

/// Checks that shards are complete.
private struct ShardCounts {
  let mark: String
  private(set) var count = 0
  private var ends: [Int: Set<ShardStream>] = [:]
  private var lines: [ShardStream: Int] = [:]

  init(mark: String) { self.mark = mark }

  var numbers: [Int] { ends.keys.sorted() }
  var hasBaseline: Bool { lines[.calibrate] != nil }

  mutating func add(_ end: ShardEnd) throws(ParityError) {
    guard end.mark == mark else {
      throw ParityError(reason: "`parity --shards` was called with other options of the join")
    }
    guard count == 0 || count == end.count else {
      throw ParityError(reason: "`parity --shards` was called with \(count) and \(end.count) shards")
    }
    count = end.count
    ends[end.shard, default: []].insert(end.stream)
    lines[end.stream, default: 0] += end.lines
  }

  /// - Parameter counted: the number of lines of each stream.
  func check(_ counted: [Int]) throws(ParityError) {
    for (stream, counted) in zip(ShardStream.allCases, counted) where lines[stream, default: 0] != counted {
      throw ParityError(
        reason: "\(counted.grouped) of \(lines[stream, default: 0].counted("line")) of the stream "
          + "`\(stream.rawValue)` arrived in \(ends.count.counted("shard"))")
    }
    for (shard, streams) in ends.sorted(by: { $0.key < $1.key }) {
      for stream in ShardStream.allCases where !streams.contains(stream) && (stream != .calibrate || hasBaseline) {
        throw ParityError(reason: "shard \(shard) has no end of the stream `\(stream.rawValue)`")
      }
    }
  }
}

// MARK: - Adding

/// The sum of partial results.
package struct PartialSum: Sendable {
  private var first: PartialParity?
  private var report: ParityReport?
  private var baseline: ParityReport?
  private var shards: Set<Int> = []

  package init() {}

  /// - Throws: ``ParityError`` if the result belongs to another comparison, or has a shard that was added before.
  package mutating func add(_ partial: PartialParity) throws(ParityError) {
    guard partial.comparison == first?.comparison ?? partial.comparison else {
      throw ParityError(reason: "the partial results were made with different options or documents")
    }
    // A task without lines has no shard.
    if partial.count == 0 { return }
    if let first {
      guard first.count == partial.count, (first.baseline == nil) == (partial.baseline == nil) else {
        throw ParityError(reason: "the partial results are of different runs of `parity --shards`")
      }
    } else {
      first = partial
    }
    for shard in partial.shards where !shards.insert(shard).inserted {
      throw ParityError(reason: "shard \(shard) is in two partial results")
    }
    Self.add(partial.report, to: &report)
    if let added = partial.baseline { Self.add(added, to: &baseline) }
  }

  private static func add(_ part: ParityReport, to sum: inout ParityReport?) {
    if sum?.merge([part]) == nil { sum = part }
  }

  /// The report of all shards.
  ///
  /// - Throws: ``ParityError`` if a shard is missing.
  package func total() throws(ParityError) -> ParityReport {
    guard let report, let first else { throw ParityError(reason: "there is no partial result of a shard") }
    if let missing = (0..<first.count).first(where: { !shards.contains($0) }) {
      throw ParityError(
        reason: "shard \(missing) is missing; \(shards.count.grouped) of \(first.count.counted("shard")) were compared")
    }
    return baseline.map { report.calibrated(by: $0) } ?? report
  }
}

// MARK: - JSON

extension PartialParity {
  /// The result as a JSON value.
  package var json: EventValue {
    var heading = report
    heading.events = []
    return [
      "partial": .int(Self.formatVersion), "comparison": .string(comparison),
      "shards": .array(shards.map { .int(Int64($0)) }), "of": .int(Int64(count)),
      "report": heading.json(),
      "events": .array(report.events.map(\.partialJSON)),
      "days": .array(report.days.partialJSON),
      "withoutTime": .int(Int64(report.days.withoutTime)),
      "baseline": baseline.map { .array($0.events.map(\.partialJSON)) } ?? .null,
    ]
  }

  /// Reads a line that has ``json``.
  ///
  /// - Throws: ``ParityError`` if the line is something else.
  package init(_ line: [UInt8]) throws(ParityError) {
    do {
      let reader = PartialReader(value: try JSONReader(maximumBytes: 1 << 30).value(line))
      guard try reader.member("partial").count() == Int(Self.formatVersion) else { throw PartialReader.Damage() }
      comparison = try reader.member("comparison").text()
      shards = try reader.member("shards").list().map { try $0.count() }
      count = try reader.member("of").count()
      var report = try ParityReport(reader.member("report").value.canonicalJSON)
      report.events = try reader.member("events").list().map(EventParity.init)
      let days = try reader.member("days").list().map { try $0.day() }
      report.days = DayTally(
        counts: Dictionary(days, uniquingKeysWith: { first, _ in first }),
        withoutTime: try reader.member("withoutTime").count())
      self.report = report
      let baseline = try reader.member("baseline")
      if baseline.isNull {
        self.baseline = nil
      } else {
        var report = ParityReport(join: report.join, membership: report.membership)
        report.events = try baseline.list().map(EventParity.init)
        self.baseline = report
      }
    } catch {
      throw ParityError(reason: "it was not written by `parity --partial` of this version")
    }
  }
}

extension EventParity {
  fileprivate var partialJSON: EventValue {
    let counts = ParityCount.allCases.map { self[$0] }
    let examples = ParityExamples.all.map { EventValue.texts(self[keyPath: $0.ids]) }
    let delays = delays.histogram.map { EventValue.array([.int($0.delay), .int(Int64($0.count))]) }
    let fields = fields.map { field in
      let counts = FieldOutcome.allCases.map { field.counts[$0] }
      return EventValue.array([.string(field.path), .counts(counts), .texts(field.examples)])
    }
    return [
      .string(name), .string(newName), .counts(counts), .array(examples), .array(delays), .array(fields), units.json,
    ]
  }

  fileprivate init(_ reader: PartialReader) throws {
    let parts = try reader.list(of: 7)
    self.init(name: try parts[0].text(), newName: try parts[1].text())
    for (number, count) in zip(try parts[2].list(of: ParityCount.allCases.count), ParityCount.allCases) {
      self[count] = try number.count()
    }
    for (ids, list) in zip(try parts[3].list(of: ParityExamples.all.count), ParityExamples.all) {
      self[keyPath: list.ids] = try ids.list().map { try $0.text() }
    }
    delays = PairDelays(
      histogram: try parts[4].list().map {
        let pair = try $0.list(of: 2)
        return (delay: try pair[0].integer(), count: try pair[1].count())
      })
    fields = try parts[5].list().map { reader in
      let parts = try reader.list(of: 3)
      var field = FieldParity(path: try parts[0].text())
      for (count, outcome) in zip(try parts[1].list(of: FieldOutcome.allCases.count), FieldOutcome.allCases) {
        field.counts[outcome] = try count.count()
      }
      field.examples = try parts[2].list().map { try $0.text() }
      return field
    }
    units = try UnitSample(parts[6])
  }
}

extension UnitSample {
  private static let digits = 16

  /// The sorted ids of the units that do not fail, and of those that do, in hexadecimal digits.
  fileprivate var json: EventValue {
    let ids = [false, true].map { fails -> EventValue in
      let units = trials.filter { !$0.value.outcome.isDisjoint(with: [.failing, .lostFromOld]) == fails }
      return .string(
        units.keys.sorted().map { unit in
          let text = String(unit, radix: 16)
          return String(repeating: "0", count: Self.digits - text.count) + text
        }.joined())
    }
    return .array([.int(Int64(withoutUnit))] + ids)
  }

  fileprivate init(_ reader: PartialReader) throws {
    self.init()
    let parts = try reader.list(of: 3)
    withoutUnit = try parts[0].count()
    for (part, outcome) in zip(parts[1...], [Outcome.tellsOfNew, [.tellsOfNew, .failing]]) {
      var digits = Substring(try part.text())
      while !digits.isEmpty {
        guard let unit = UInt64(digits.prefix(Self.digits), radix: 16) else { throw PartialReader.Damage() }
        add(Trial(since: 0, outcome: outcome), of: unit)
        digits = digits.dropFirst(Self.digits)
      }
    }
  }
}

extension DayTally {
  fileprivate var partialJSON: [EventValue] {
    counts.sorted { $0.key < $1.key }.map { key, counts in
      let revision = key.revision.map { EventValue.int($0) } ?? .null
      return [.int(key.day), .string(key.event.text), revision, .counts(DayCount.allCases.map { counts[$0] })]
    }
  }
}

extension EventValue {
  fileprivate static func counts(_ counts: [Int]) -> EventValue { .array(counts.map { .int(Int64($0)) }) }
}

/// Reads the values of a partial result, and of what a store keeps.
struct PartialReader {
  struct Damage: Error {}

  let value: EventValue

  var isNull: Bool { value == .null }

  func member(_ key: String) throws -> PartialReader {
    guard case .object(let members) = value, let member = members.value(exactly: key) else { throw Damage() }
    return PartialReader(value: member)
  }

  func list(of count: Int? = nil) throws -> [PartialReader] {
    guard case .array(let values) = value, values.count == count ?? values.count else { throw Damage() }
    return values.map(PartialReader.init)
  }

  func text() throws -> String {
    guard case .string(let text) = value else { throw Damage() }
    return text
  }

  func integer() throws -> Int64 {
    guard case .int(let number) = value else { throw Damage() }
    return number
  }

  func count() throws -> Int {
    guard case .int(let number) = value, 0...Int64(PartialParity.maximumCount) ~= number else { throw Damage() }
    return Int(number)
  }

  func day() throws -> (DayTally.Key, DayCounts) {
    let parts = try list(of: 4)
    var counts = DayCounts()
    for (number, count) in zip(try parts[3].list(of: DayCount.allCases.count), DayCount.allCases) {
      counts[count] = try number.count()
    }
    let revision = parts[2].isNull ? nil : try parts[2].integer()
    return (DayTally.Key(day: try parts[0].integer(), event: try parts[1].text(), revision: revision), counts)
  }
}
