import EventModel

/// One document at one time, as proofs look at it.
struct ProofSide {
  let document: RolloutDocument
  let time: Int64?
  let rollout: CompiledRollout
  let snapshot: RolloutSnapshot
  /// Every unit that some rule names.
  let namedUnits: Set<ExactText>

  init(_ document: RolloutDocument, at time: Int64?) {
    self.document = document
    self.time = time
    rollout = CompiledRollout(document, at: time)
    snapshot = RolloutSnapshot(document, at: time, rollout)
    namedUnits = Set(document.rules.flatMap { $0.match.unitIDs ?? [] }.map(ExactText.init))
  }

  func allowsNeither(_ places: FlagPlaces) -> Bool {
    document.allowsNeither(at: places.oldLogger) || document.allowsNeither(at: places.newTracker)
  }
}

extension RolloutDocument {
  /// The finding that says that a proof was given up.
  var tooLargeToProve: Diagnostic {
    finding(
      .error, .tooLargeToProve, "the rules tell too many cases apart to be proved", at: .topLevel,
      help: "use fewer rules, or fewer different attributes in rules about the same events")
  }

  /// The times at which a document must be proved: before every schedule, and at each step of one.
  var provedTimes: [Int64?] {
    [nil] + changeTimes
  }
}
