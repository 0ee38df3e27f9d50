public import DualSendCore

/// A rollout as ops write it: two flags, and rules that override them for some events, versions, platforms or units.
///
/// Where a document gives an event neither sink and `allowNeither` does not permit it, the old logger gets the event. The
/// tools refuse such a document before it is published.
public struct RolloutDocument: Sendable {
  /// The highest supported format; the lowest is 1.
  package static let formatVersion: Int64 = 2
  /// The first format that may name sinks. Apps that only support format 1 refuse such a document.
  static let formatVersionOfSinks: Int64 = 2

  /// The revision, which increases with every edit.
  public let revision: Int64
  /// The salt of the units' buckets.
  public let salt: String
  /// The app and environment that it is for; `nil` for any.
  package internal(set) var audience: String?
  /// The share of units with the old logger if no rule sets it; 100 % by default.
  package let shouldSendLogToOldLogger: RolloutFlag
  /// The share of units with the new tracker if no rule sets it; 0 % by default.
  package let shouldSendLogToNewTracker: RolloutFlag
  /// Whether units may have neither sink where the top level decides one of the two flags.
  package let allowNeither: Bool
  /// The sinks of an event without a unit ID where the decision needs a bucket.
  package let missingUnit: MissingUnitOutcome
  /// The rules. For each flag, the first rule that matches and sets it decides.
  package let rules: [RolloutRule]
  let offsets: RolloutOffsets
  /// The named sinks and their shares if no rule sets them, in the order of the document.
  package internal(set) var sinks: [RolloutSinkShare] = []
  var positions: [Int: DocumentDiagnostic.Position] = [:]
  var sourceName: String?
  /// The warnings that the document silences. ``warnings`` already leaves them out.
  package internal(set) var allowances: [WarningAllowance] = []
  /// The warnings, sorted by position.
  public internal(set) var warnings: [DocumentDiagnostic] = []
}

extension RolloutDocument {
  /// The highest number of pattern names times rules: it bounds the size of each index, and so the memory of an app.
  private static let maximumSize = 8_000_000

  /// Reads a document.
  ///
  /// - Parameters:
  ///   - bytes: the JSON text.
  ///   - name: the document's name in diagnostics, usually that of its file.
  /// - Throws: ``DocumentError`` with all errors of the document.
  public init(reading bytes: some Sequence<UInt8>, name: String? = nil) throws(DocumentError) {
    var reader = try RolloutDocumentReader(bytes, name: name)
    self = try reader.document()
    guard !isTooLarge else {
      throw DocumentError([
        finding(
          .error, .tooManyRules, "the document has too many rules with too many names", at: .topLevel,
          help: "use fewer rules, or prefixes instead of names")
      ])
    }
  }

  private var isTooLarge: Bool {
    func size(_ rules: [RolloutRule]) -> Int {
      (rules.reduce(1) { $0 + ($1.match.events?.count ?? 0) }) * (rules.count + 1)
    }
    let sinks = self.sinks.map { share in size(rules.filter { $0.sinks.flag(of: share.sink) != nil }) }
    return sinks.reduce(size(rules), +) > Self.maximumSize
  }
}

extension RolloutDocument {
  /// The times of all schedules' steps, in milliseconds since 1970-01-01T00:00:00Z, in order.
  package var changeTimes: [Int64] {
    flags.flatMap(\.changeTimes).distinctInOrder()
  }

  /// Whether any share changes with time.
  var hasSchedules: Bool {
    flags.contains(where: \.isSchedule)
  }

  /// The number of steps of all schedules.
  package var stepCount: Int {
    flags.reduce(0) { $0 + $1.changeTimes.count }
  }

  private var flags: [RolloutFlag] {
    [shouldSendLogToOldLogger, shouldSendLogToNewTracker] + sinks.map(\.flag)
      + rules.flatMap { rule in
        [rule.shouldSendLogToOldLogger, rule.shouldSendLogToNewTracker].compactMap { $0 } + rule.sinks.map(\.flag)
      }
  }
}

// MARK: - Places, for findings

extension RolloutDocument {
  /// Stores the lines and columns that later findings may refer to.
  mutating func locate(in source: SourceText) {
    let all = [offsets] + rules.map(\.offsets)
    positions = source.positions(
      at: Set(all.flatMap { [$0.start, $0.oldLogger, $0.newTracker, $0.revision].compactMap { $0 } })
        .union((sinks + rules.flatMap(\.sinks)).map(\.offset)))
    sourceName = source.name
  }

  /// The position of the revision; `nil` for a document that was not read from text.
  package var revisionPosition: DocumentDiagnostic.Position? {
    offsets.revision.flatMap { positions[$0] }
  }

  /// A finding about a rule or the top level, or about one of its flags.
  package func finding(
    _ severity: DocumentDiagnostic.Severity, _ code: DocumentDiagnostic.Code, _ message: String, at place: FlagPlace,
    flag: FlagSet = [], notes: [String] = [], help: String? = nil
  ) -> DocumentDiagnostic {
    let offsets = if case .rule(let index) = place { rules[index].offsets } else { self.offsets }
    var (offset, path) = (offsets.start, self.path(of: place))
    if flag == .oldLogger, let flagOffset = offsets.oldLogger {
      (offset, path) = (flagOffset, path.appending(RolloutSide.old.flagKey))
    } else if flag == .newTracker, let flagOffset = offsets.newTracker {
      (offset, path) = (flagOffset, path.appending(RolloutSide.new.flagKey))
    }
    return DocumentDiagnostic(
      severity, code, message, file: sourceName, position: positions[offset], path: path, notes: notes, help: help)
  }

  /// A finding about a sink's share in a rule or the top level.
  package func finding(
    _ severity: DocumentDiagnostic.Severity, _ code: DocumentDiagnostic.Code, _ message: String, at place: FlagPlace,
    sink: RolloutSinkShare, help: String? = nil
  ) -> DocumentDiagnostic {
    let path = ["sinks", sink.sink.side.rawValue, sink.sink.id].reduce(self.path(of: place)) { $0.appending($1) }
    return DocumentDiagnostic(
      severity, code, message, file: sourceName, position: positions[sink.offset], path: path, help: help)
  }

  private func path(of place: FlagPlace) -> EventPath {
    if case .rule(let index) = place { EventPath().appending("rules").appending(index) } else { EventPath() }
  }

  /// The term that messages use for a rule or the top level: `rule 2 "home first"`, `the top level`.
  package func name(of place: FlagPlace) -> String {
    switch place {
    case .topLevel: "the top level"
    case .rule(let index): "rule \(index + 1)" + (rules[index].name.map { " \"\($0)\"" } ?? "")
    }
  }

  /// Whether a rule or the top level allows units without a sink.
  package func allowsNeither(at place: FlagPlace) -> Bool {
    switch place {
    case .topLevel: allowNeither
    case .rule(let index): rules[index].allowNeither
    }
  }
}

// MARK: - Rollout

extension DocumentDiagnostic.Code {
  /// A flag is not a percentage of at most three decimals.
  package static let invalidPercentage = DocumentDiagnostic.Code(rawValue: "DS0201")
  /// An event pattern is neither a name nor a prefix followed by `*`.
  package static let invalidEventPattern = DocumentDiagnostic.Code(rawValue: "DS0202")
  /// A version condition is malformed.
  package static let invalidVersionCondition = DocumentDiagnostic.Code(rawValue: "DS0203")
  /// A list is empty.
  package static let emptyList = DocumentDiagnostic.Code(rawValue: "DS0204")
  /// A list contains an entry twice.
  package static let repeatedEntry = DocumentDiagnostic.Code(rawValue: "DS0205")
  /// The salt is empty.
  package static let emptySalt = DocumentDiagnostic.Code(rawValue: "DS0206")
  /// The revision is negative.
  package static let invalidRevision = DocumentDiagnostic.Code(rawValue: "DS0207")
  /// A value is not one of the words that the format allows.
  package static let unknownWord = DocumentDiagnostic.Code(rawValue: "DS0208")
  /// A schedule's times are malformed or do not increase.
  package static let invalidSchedule = DocumentDiagnostic.Code(rawValue: "DS0209")
  /// Some units would have neither sink.
  package static let neitherSink = DocumentDiagnostic.Code(rawValue: "DS0210")
  /// The document is too large to be proved.
  package static let tooManyRules = DocumentDiagnostic.Code(rawValue: "DS0211")
  /// A sink's id is malformed, or is the id of a principal sink.
  package static let invalidSinkID = DocumentDiagnostic.Code(rawValue: "DS0212")
  /// One id names a sink of each side.
  package static let repeatedSink = DocumentDiagnostic.Code(rawValue: "DS0213")
  /// A rule narrows a sink that the top level does not name.
  package static let unknownSink = DocumentDiagnostic.Code(rawValue: "DS0214")
  /// A document of format 1 names sinks.
  package static let sinksNeedFormat = DocumentDiagnostic.Code(rawValue: "DS0215")
  /// A document names too many sinks.
  package static let tooManySinks = DocumentDiagnostic.Code(rawValue: "DS0216")
  /// A rule sets no flag.
  package static let ruleWithoutFlag = DocumentDiagnostic.Code(rawValue: "DS0220")
  /// A rule's conditions contradict one another.
  package static let ruleNeverMatches = DocumentDiagnostic.Code(rawValue: "DS0221")
  /// Earlier rules always decide everything that a rule sets.
  package static let ruleNeverDecides = DocumentDiagnostic.Code(rawValue: "DS0222")
  /// Earlier rules always decide one of the flags that a rule sets.
  package static let flagNeverDecides = DocumentDiagnostic.Code(rawValue: "DS0223")
  /// A share is below 1 %, and others are whole percentages.
  package static let partOfAPercent = DocumentDiagnostic.Code(rawValue: "DS0225")
  /// A platform differs only in case from one that apps have.
  package static let otherSpelling = DocumentDiagnostic.Code(rawValue: "DS0226")
  /// `allowNeither` is set where every unit has a sink.
  package static let needlessAllowNeither = DocumentDiagnostic.Code(rawValue: "DS0224")
}
