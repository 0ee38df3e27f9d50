public import DualSendCore

/// One document at one time, as proofs look at it.
public struct DatedRollout {
  /// The document.
  public let document: RolloutDocument
  /// The time that schedules are read at, in milliseconds since 1970-01-01T00:00:00Z; `nil` for before all of them.
  public let time: Int64?
  /// The document, taken apart.
  public let rollout: CompiledRollout
  /// The same as apps have it.
  public let snapshot: RolloutSnapshot
  /// Every unit that some rule names.
  let namedUnits: Set<ExactText>

  /// Compiles the document, unless reading it has done so.
  public init(_ document: RolloutDocument, at time: Int64?) {
    self.init(document, at: time, document.compiled(at: time))
  }

  /// - Parameter rollout: the document at that time, compiled.
  init(_ document: RolloutDocument, at time: Int64?, _ rollout: CompiledRollout) {
    self.document = document
    self.time = time
    self.rollout = rollout
    snapshot = RolloutSnapshot(document, at: time, rollout)
    namedUnits = Set(document.rules.flatMap { $0.match.unitIDs ?? [] }.map(ExactText.init))
  }

  func allowsNeither(_ places: FlagPlaces) -> Bool {
    document.allowsNeither(at: places.oldLogger) || document.allowsNeither(at: places.newTracker)
  }
}

extension DatedRollout {
  /// Every sink that one of these documents names, in order.
  public static func sinks(of sides: [DatedRollout]) -> [RolloutSink] {
    Set(sides.flatMap { $0.document.sinks.map(\.sink) }).sorted()
  }
}

extension RolloutDocument {
  /// The finding that says that a proof was given up.
  public var tooLargeToProve: DocumentDiagnostic {
    finding(
      .error, .tooLargeToProve, "the rules tell too many cases apart to be proved", at: .topLevel,
      help: "use fewer rules, or fewer different attributes in rules about the same events")
  }

  /// The times at which a document must be proved: before every schedule, and at each step of one.
  public var provedTimes: [Int64?] {
    [nil] + changeTimes
  }
}
