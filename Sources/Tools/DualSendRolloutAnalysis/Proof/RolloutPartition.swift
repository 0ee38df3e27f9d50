package import DualSendRollout

/// All events and contexts, divided into the cells that the rules of one or two documents distinguish.
package struct RolloutPartition {
  /// Events with the same candidate rules.
  package struct Events {
    /// The names and prefixes; never empty.
    package let atoms: [EventIndex.Atom]
    /// One of the names, verified by the lookup.
    package let example: String
    /// The candidate rules in order, those of a second document after those of the first.
    package let candidates: [Int]
  }

  /// All events, grouped.
  package let events: [Events]
  private let firstRules: [Int]
  private let partition: ContextPartition

  /// Divides by the rules of all these documents.
  ///
  /// - Parameters:
  ///   - sides: the documents, at most two.
  ///   - sink: a sink whose share distinguishes cells too; by default only the two flags do.
  package init(_ sides: [EvaluatedRollout], sink: RolloutSink? = nil) {
    var rules: [RolloutRule] = []
    var flags: [FlagSet] = []
    var firstRules: [Int] = []
    for (side, proofSide) in sides.enumerated() {
      firstRules.append(rules.count)
      rules += proofSide.document.rules
      flags += proofSide.document.rules.enumerated().map { index, rule in
        let flags = proofSide.rollout.flags(ofRule: index)
        let narrows = sink.flatMap { rule.sinks.flag(of: $0)?.percentage(at: proofSide.time) } != nil
        return (narrows ? flags.union(.sink) : flags).shifted(toSide: side)
      }
    }
    let index = EventIndex(
      zip(rules, flags).map { rule, flags in
        EventIndex.Rule(events: rule.match.events, flags: flags, isUnconditional: rule.match.conditions.isEmpty)
      })
    let atoms = Dictionary(grouping: index.atoms, by: \.list)
    events = (0..<index.listCount).compactMap { list in
      guard let atoms = atoms[list], let example = atoms.lazy.compactMap(index.exampleName(of:)).first else {
        return nil
      }
      return Events(atoms: atoms, example: example, candidates: index.candidates(ofList: list))
    }
    self.firstRules = firstRules
    partition = ContextPartition(rules.map(\.match.conditions), flags: flags)
  }

  /// The cells of all contexts for these events.
  package func cells(of events: Events, budget: inout ProofBudget) throws(ProofBudget.Exhausted) -> [ContextCell] {
    try partition.cells(of: events.candidates, budget: &budget)
  }

  /// The places of one of the documents that decide the flags in a cell.
  package func places(_ cell: ContextCell, side: Int = 0) -> FlagPlaces {
    var places = FlagPlaces()
    for (rule, flags) in cell.deciding {
      if flags.contains(.oldLogger.shifted(toSide: side)) { places.oldLogger = .rule(rule - firstRules[side]) }
      if flags.contains(.newTracker.shifted(toSide: side)) { places.newTracker = .rule(rule - firstRules[side]) }
    }
    return places
  }

  /// The place of one of the documents that decides about the sink in a cell.
  package func sinkPlace(_ cell: ContextCell, side: Int = 0) -> FlagPlace {
    let deciding = cell.deciding.first { $0.flags.contains(.sink.shifted(toSide: side)) }
    return deciding.map { .rule($0.rule - firstRules[side]) } ?? .topLevel
  }
}

extension FlagSet {
  /// The flags as those of the first document (side 0) or of the second (side 1).
  func shifted(toSide side: Int) -> FlagSet {
    FlagSet(rawValue: rawValue << (4 * UInt8(side)))
  }
}

extension EventIndex {
  /// A name of this set, verified by the lookup: the name itself, or the prefix with one more character.
  ///
  /// `nil` only if longer patterns match every continuation. The number of tries grows with the number of patterns.
  func exampleName(of atom: Atom) -> String? {
    guard case .prefix(let prefix) = atom.pattern else { return atom.pattern.stem }
    let letters = Array("abcdefghijklmnopqrstuvwxyz".unicodeScalars)
    if let name = letters.lazy.map({ prefix + String(Character($0)) }).first(where: { list(for: $0) == atom.list }) {
      return name
    }
    let all = (0...0x10FFFF as ClosedRange<UInt32>).lazy.compactMap(UnicodeScalar.init)
    return all.map { prefix + String(Character($0)) }.first { list(for: $0) == atom.list }
      ?? (list(for: prefix) == atom.list ? prefix : nil)
  }
}

// MARK: - Unit finder

/// Searches `unit-0`, `unit-1`, … for unit IDs in given buckets.
package struct UnitFinder {
  /// The tries of one search. For a single bucket, two million tries fail with probability e⁻²⁰.
  private static let tries = 2_000_000
  /// The cost of a check, in tries.
  private static let costOfCheck = 50

  let bucketing: RolloutBucketing
  /// The remaining tries of all searches.
  private var remainingTries: Int
  /// The buckets of the units that were hashed so far.
  private var buckets: [Int32] = []

  /// - Parameters:
  ///   - bucketing: computes the units' buckets.
  ///   - tries: the tries of all searches; two hundred million take about a second.
  package init(bucketing: RolloutBucketing, tries: Int = .max) {
    self.bucketing = bucketing
    remainingTries = tries
  }

  /// The first unit in the wanted buckets that passes a check; `nil` if there is none or no tries remain.
  mutating func unit(in wanted: Range<Int>, where check: (String) -> Bool) -> String? {
    guard !wanted.isEmpty else { return nil }
    for number in 0..<Self.tries where remainingTries > 0 {
      remainingTries -= 1
      guard wanted.contains(bucket(ofUnit: number)) else { continue }
      remainingTries -= Self.costOfCheck
      let id = "unit-\(number)"
      if check(id) { return id }
    }
    return nil
  }

  /// A context of a cell with a unit in the wanted buckets that passes a check; `nil` if none is found.
  package mutating func context(
    of cell: ContextCell, in wanted: Range<Int>, where check: (String) -> Bool
  ) -> DecisionContext? {
    let found =
      switch cell.units {
      case .everyone: unit(in: wanted, where: check)
      case .named(let ids): ids.first { wanted.contains(bucketing.bucket(of: $0).index) && check($0) }
      }
    return found.map { cell.example(unit: $0) }
  }

  private mutating func bucket(ofUnit number: Int) -> Int {
    while buckets.count <= number {
      buckets.append(Int32(bucketing.bucket(of: "unit-\(buckets.count)").index))
    }
    return Int(buckets[number])
  }
}
