import DualSendCore

/// A compiled rollout as bytes, so that the next run need not compile: only of a document without schedules, whose shares
/// would depend on the time.
///
/// Reading takes whatever bytes there are and either refuses them or gives a rollout that decides every event without
/// leaving its arrays. That it is the rollout of a document is for a checksum to say.
extension CompiledRollout {
  /// Counts up when the bytes mean something else, or when the compiler makes something else of the same document.
  static let codingVersion: Int64 = 3

  /// Rules that overlap in many ways have lists far longer than the document. To read the document is better than to keep
  /// those.
  private static let maximumCandidates = 1 << 18

  /// The bytes; `nil` if the document has schedules, or if they would be too many to keep.
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

  /// Many rules ask for the same versions, platforms and attributes: each such set is written once, and read once.
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

  /// Reads the bytes; `nil` if they are damaged or of another version.
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
    // No document leaves a unit-less event without a sink.
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
