import DualSendCore

/// The binary form of a compiled rollout, which the next launch reads instead of the document. Documents with schedules
/// have none, because their shares depend on the time.
///
/// Reading checks every index, so damaged bytes are refused or give a rollout that never reads out of bounds. The caller's
/// checksum ties the bytes to their document.
extension CompiledRollout {
  /// The version of the format and of the compiler. Increase it when either changes.
  static let codingVersion: Int64 = 3

  /// The longest candidate lists that are stored. Rules that overlap in many ways need more space than their document, which
  /// is then read instead.
  private static let maximumCandidates = 1 << 18

  /// The binary form; `nil` if the document has schedules or the form is too large.
  var encoded: [UInt8]? {
    let candidates = sinks.reduce(events.candidates.count) { $0 + $1.events.candidates.count }
    guard !hasSchedules, candidates <= Self.maximumCandidates,
      let revision = UInt64(exactly: revision)
    else { return nil }
    var writer = BinaryWriter()
    writer.write(count: Int(Self.codingVersion))
    writer.write(revision)
    writer.write(bucketing.salt)
    writer.write((missingUnit.includesOldLogger ? 1 : 0) | (missingUnit.includesNewTracker ? 2 : 0))
    writer.write(([topLevel] + shares).flatMap { [$0.oldLogger, $0.newTracker] })
    events.write(to: &writer)
    writeConditions(to: &writer)
    writer.write(list: sinks) { $1.write(to: &$0) }
    return writer.bytes
  }

  /// Writes each distinct list of conditions once: many rules have the same one.
  private func writeConditions(to writer: inout BinaryWriter) {
    var different: [BinaryWriter] = []
    var positions: [[UInt8]: Int32] = [:]
    let positionsByRule = conditions.map { conditions in
      var one = BinaryWriter()
      conditions.write(to: &one)
      if let known = positions[one.bytes] { return known }
      let position = Int32(different.count)
      positions[one.bytes] = position
      different.append(one)
      return position
    }
    writer.write(list: different) { $0.append($1) }
    writer.write(positionsByRule)
  }

  /// Reads the binary form; `nil` if it is damaged or of another version.
  convenience init?(encoded bytes: [UInt8]) {
    var reader = BinaryReader(bytes)
    do throws(BinaryReader.Damage) { try self.init(&reader) } catch { return nil }
  }

  private convenience init(_ reader: inout BinaryReader) throws(BinaryReader.Damage) {
    guard Int64(exactly: try reader.number()) == Self.codingVersion,
      let revision = Int64(exactly: try reader.number())
    else { throw BinaryReader.Damage() }
    let salt = try reader.text()
    let missingUnit = try reader.number(below: 4)
    let numbers = try reader.numbers()
    // `missingUnit` always names a sink.
    guard missingUnit > 0, numbers.count >= 2, numbers.count.isMultiple(of: 2), numbers[0] >= 0, numbers[1] >= 0,
      numbers.allSatisfy({ (-1...Int32(RolloutBucket.count)).contains($0) })
    else { throw BinaryReader.Damage() }
    let shares = stride(from: 2, to: numbers.count, by: 2).map {
      RuleShares(oldLogger: numbers[$0], newTracker: numbers[$0 + 1])
    }
    let events = try EventIndex(&reader, ruleCount: shares.count)
    let conditions = try reader.list { reader throws(BinaryReader.Damage) in try [ContextCondition](&reader) }
    let positions = try reader.numbers()
    let sinks = try reader.list { reader throws(BinaryReader.Damage) in
      try CompiledSink(&reader, ruleCount: shares.count)
    }
    guard positions.count == shares.count, positions.allSatisfy({ conditions.indices.contains(Int($0)) }),
      zip(sinks, sinks.dropFirst()).allSatisfy({ $0.sink < $1.sink }), reader.isAtEnd
    else { throw BinaryReader.Damage() }
    self.init(
      revision: revision, events: events, conditions: positions.map { conditions[Int($0)] }, salt: salt,
      missingUnit: SinkDecision.Outcome(oldLogger: missingUnit & 1 == 1, newTracker: missingUnit & 2 == 2),
      topLevel: RuleShares(oldLogger: numbers[0], newTracker: numbers[1]), shares: shares,
      sinks: sinks)
  }
}

extension CompiledSink {
  func write(to writer: inout BinaryWriter) {
    writer.write(sink.side == .old ? 0 : 1)
    writer.write(sink.id)
    writer.write([topLevel] + shares)
    writer.write(rules)
    events.write(to: &writer)
  }

  /// - Parameter ruleCount: how many rules the document has.
  convenience init(_ reader: inout BinaryReader, ruleCount: Int) throws(BinaryReader.Damage) {
    let side: RolloutSide = try reader.number(below: 2) == 0 ? .old : .new
    let id = try reader.text()
    let numbers = try reader.numbers()
    let rules = try reader.numbers()
    guard RolloutSink.isWellFormed(id), numbers.count == rules.count + 1,
      numbers.allSatisfy({ (0...Int32(RolloutBucket.count)).contains($0) }),
      rules.allSatisfy({ (0..<ruleCount).contains(Int($0)) }), zip(rules, rules.dropFirst()).allSatisfy({ $0 < $1 })
    else { throw BinaryReader.Damage() }
    self.init(
      sink: RolloutSink(side: side, id: id), topLevel: numbers[0],
      events: try EventIndex(&reader, ruleCount: rules.count), rules: rules, shares: Array(numbers.dropFirst()))
  }
}
