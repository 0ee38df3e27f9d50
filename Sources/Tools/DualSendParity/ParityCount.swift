/// A count of a comparison. Reports, partial results, stores, days and pages iterate the cases.
package enum ParityCount: Int, Sendable, CaseIterable {
  /// Events in both streams.
  case pairs
  /// Pairs that differ in a field or in the name, before noise is subtracted.
  case differingBeforeNoise
  /// Pairs whose new name differs from the table's.
  case renamed
  /// Differing pairs expected from noise alone; 0 without calibration.
  case noise
  /// Events that only one stream has.
  case oldOnly, newOnly
  /// Lines of a stream that repeat an event.
  case oldDuplicates, newDuplicates
  /// These lines, of both streams, whose name or payload is not that of the paired line with their id.
  case conflicting
  /// Events that should be in a stream but are not.
  case lostFromNew, lostFromOld
  /// Lost events whose other line is there, and cannot be read.
  case lostBesideBroken
  /// Events that are in a stream but should not be.
  case unexpectedInOld, unexpectedInNew
  /// Events in one stream whose possible revisions disagree. Not judged.
  case undecided
  /// Events in one stream whose unit is unknown, and whose rollout depends on the unit.
  case withoutUnit
  /// Pairs and unpaired events judged by the decision they carry, by a rollout document, or by neither.
  case byDecision, byDocument, byNothing
  /// Events with a decision that their app cannot have made, or with two different decisions.
  case contradicting
  /// Events that parity is judged by: all pairs, and all events that are lost, unexpected or without a unit.
  case judged
  /// Judged events that differ, or are lost, unexpected or without a unit, before noise is subtracted.
  case failingBeforeNoise
  /// Pairs that were not compared: their id has lines that say different things; or, in a comparison that runs beside the
  /// app, there is no table, or a payload is gone.
  case uncompared

  static let number = allCases.count

  /// The key in JSON.
  package var key: String { "\(self)" }
}

/// What one match counts: a set of counts that grow by one. Reports, days, units and pages all take it.
package struct MatchVerdict: Sendable, Hashable, ExpressibleByArrayLiteral {
  private var bits: UInt32 = 0

  package init(arrayLiteral counts: ParityCount...) {
    for count in counts { insert(count) }
  }

  mutating func insert(_ count: ParityCount) { bits |= 1 << count.rawValue }

  package func contains(_ count: ParityCount) -> Bool { bits & 1 << count.rawValue != 0 }

  func isDisjoint(with other: MatchVerdict) -> Bool { bits & other.bits == 0 }

  /// How many of some counts it has.
  func number(of counts: MatchVerdict) -> Int { (bits & counts.bits).nonzeroBitCount }

  func forEach(_ body: (ParityCount) -> Void) {
    var rest = bits
    while let count = ParityCount(rawValue: rest.trailingZeroBitCount), rest != 0 {
      body(count)
      rest &= rest - 1
    }
  }
}

extension MatchVerdict {
  /// A pair that was compared.
  init(pair membership: EventMembership, differs: Bool = false, isRenamed: Bool = false) {
    self = Self.pair
    if differs { insert(.differingBeforeNoise) }
    if isRenamed { insert(.renamed) }
    insertPlaces(ofPair: membership)
    if differs || !isDisjoint(with: Self.unexpected) { insert(.failingBeforeNoise) }
  }

  /// A pair that was not compared. It is judged only if a side of it is unexpected, whatever its payloads are.
  init(uncomparedPair membership: EventMembership) {
    insert(.uncompared)
    guard membership.old == false || membership.new == false else { return }
    insertPlaces(ofPair: membership)
    insert(.judged)
    insert(.failingBeforeNoise)
  }

  /// An event that only one stream has.
  ///
  /// - Parameter isBesideBroken: whether the other stream has a line of it that cannot be read.
  init(unpaired side: StreamSide, _ membership: EventMembership, isBesideBroken: Bool = false) {
    insertSource(of: membership)
    insert(side == .old ? .oldOnly : .newOnly)
    switch membership.verdict(onUnpaired: side) {
    case .oneSided: return
    case .undecided:
      insert(.undecided)
      return
    case .lost:
      insert(side == .old ? .lostFromNew : .lostFromOld)
      if isBesideBroken { insert(.lostBesideBroken) }
    case .unexpected: insert(side == .old ? .unexpectedInOld : .unexpectedInNew)
    case .withoutUnit: insert(.withoutUnit)
    }
    insert(.judged)
    insert(.failingBeforeNoise)
  }

  /// A line that repeats an event.
  ///
  /// - Parameter isOther: whether it has another name or payload than the line of its id that is paired.
  init(duplicateOf side: StreamSide, isOther: Bool) {
    insert(side == .old ? .oldDuplicates : .newDuplicates)
    if isOther { insert(.conflicting) }
  }

  private static let pair: MatchVerdict = [.pairs, .judged]
  private static let unexpected: MatchVerdict = [.unexpectedInOld, .unexpectedInNew]

  private mutating func insertPlaces(ofPair membership: EventMembership) {
    insertSource(of: membership)
    if membership.old == false { insert(.unexpectedInOld) }
    if membership.new == false { insert(.unexpectedInNew) }
  }

  private mutating func insertSource(of membership: EventMembership) {
    switch membership.source {
    case .decision: insert(.byDecision)
    case .document: insert(.byDocument)
    case .nothing: insert(.byNothing)
    }
    if membership.isContradicted { insert(.contradicting) }
  }
}

/// A list of examples: the smallest ids of the events that have some counts.
package struct ParityExamples: Sendable {
  let key: String
  package let ids: any WritableKeyPath<EventParity, [String]> & Sendable
  let counts: MatchVerdict

  package static let all = [
    ParityExamples(key: "oldOnlyExamples", ids: \.oldOnlyExamples, counts: [.oldOnly]),
    ParityExamples(key: "newOnlyExamples", ids: \.newOnlyExamples, counts: [.newOnly]),
    ParityExamples(key: "lostExamples", ids: \.lostExamples, counts: [.lostFromNew, .lostFromOld]),
    ParityExamples(key: "unexpectedExamples", ids: \.unexpectedExamples, counts: [.unexpectedInOld, .unexpectedInNew]),
    ParityExamples(key: "contradictingExamples", ids: \.contradictingExamples, counts: [.contradicting]),
    ParityExamples(key: "conflictingExamples", ids: \.conflictingExamples, counts: [.conflicting]),
  ]
}
