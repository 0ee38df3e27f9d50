/// All events and contexts, cut into what the rules of one document, or of two together, can tell apart.
public struct RolloutPartition {
  /// Events that have the same rules, and the cells of their contexts.
  public struct Events {
    /// The names and prefixes; never empty.
    public let atoms: [EventIndex.Atom]
    /// A name among them, checked by the lookup.
    public let example: String
    /// The rules that can matter, in order; those of a second document after those of the first.
    public let candidates: [Int]
  }

  /// All events, grouped.
  public let events: [Events]
  private let firstRules: [Int]
  private let partition: ContextPartition

  /// Cuts by the rules of these documents together.
  ///
  /// - Parameter sink: a sink whose narrowing tells cases apart as well; by default only the two flags do.
  public init(_ sides: [DatedRollout], sink: RolloutSink? = nil) {
    var rules: [RolloutRule] = []
    var flags: [FlagSet] = []
    var firstRules: [Int] = []
    for (side, proofSide) in sides.enumerated() {
      firstRules.append(rules.count)
      rules += proofSide.document.rules
      let narrowing = sink.flatMap { proofSide.rollout.sink($0.id, on: $0.side) }.map { Set($0.rules) } ?? []
      flags += proofSide.document.rules.indices.map { index in
        let flags = proofSide.rollout.flags(ofRule: index)
        return (narrowing.contains(Int32(index)) ? flags.union(.sink) : flags).shifted(toSide: side)
      }
    }
    var builder = EventIndexBuilder(
      zip(rules, flags).map { rule, flags in
        IndexedRule(events: rule.match.events, flags: flags, isUnconditional: rule.match.conditions.isEmpty)
      })
    let index = builder.index()
    let atoms = Dictionary(grouping: builder.atoms, by: \.list)
    events = (0..<index.listCount).compactMap { list in
      guard let atoms = atoms[list], let example = atoms.lazy.compactMap(index.exampleName(of:)).first else {
        return nil
      }
      return Events(atoms: atoms, example: example, candidates: index.candidates(ofList: list))
    }
    self.firstRules = firstRules
    partition = ContextPartition(rules.map(\.match.conditions), flags: flags)
  }

  /// The cells of the contexts of some events.
  public func cells(of events: Events, budget: inout ProofBudget) throws(ProofBudget.Exhausted) -> [ContextCell] {
    try partition.cells(of: events.candidates, budget: &budget)
  }

  /// What decides in a cell by one of the documents.
  public func places(_ cell: ContextCell, side: Int = 0) -> FlagPlaces {
    var places = FlagPlaces()
    for (rule, flags) in cell.deciding {
      if flags.contains(.oldLogger.shifted(toSide: side)) { places.oldLogger = .rule(rule - firstRules[side]) }
      if flags.contains(.newTracker.shifted(toSide: side)) { places.newTracker = .rule(rule - firstRules[side]) }
    }
    return places
  }

  /// What decides about the sink in a cell by one of the documents.
  public func sinkPlace(_ cell: ContextCell, side: Int = 0) -> FlagPlace {
    let deciding = cell.deciding.first { $0.flags.contains(.sink.shifted(toSide: side)) }
    return deciding.map { .rule($0.rule - firstRules[side]) } ?? .topLevel
  }
}

extension FlagSet {
  /// The same flags of the first document (side 0) or of the second (side 1).
  func shifted(toSide side: Int) -> FlagSet {
    FlagSet(rawValue: rawValue << (4 * UInt8(side)))
  }
}
