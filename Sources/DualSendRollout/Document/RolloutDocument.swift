public import DualSendCore

/// A rollout as ops write it: two flags, and rules that override them for some events, versions, platforms or units.
///
/// A value of this type is valid, and its proof has passed: every unit has a sink for every event unless `allowNeither`
/// permits otherwise.
public struct RolloutDocument: Sendable {
  /// The highest supported format; the lowest is 1.
  public static let formatVersion: Int64 = 2
  /// The first format that may name sinks. Apps that only support format 1 refuse such a document.
  static let formatVersionOfSinks: Int64 = 2

  /// The revision, which increases with every edit.
  public let revision: Int64
  /// The salt of the units' buckets.
  public let salt: String
  /// The share of units with the old logger if no rule sets it; 100 % by default.
  public let shouldSendLogToOldLogger: RolloutFlag
  /// The share of units with the new tracker if no rule sets it; 0 % by default.
  public let shouldSendLogToNewTracker: RolloutFlag
  /// Whether units may have neither sink where the top level decides one of the two flags.
  public let allowNeither: Bool
  /// The sinks of an event without a unit ID where the decision needs a bucket.
  public let missingUnit: MissingUnitOutcome
  /// The rules. For each flag, the first rule that matches and sets it decides.
  public let rules: [RolloutRule]
  let offsets: RolloutOffsets
  /// The named sinks and their shares if no rule sets them, in the order of the document.
  public internal(set) var sinks: [RolloutSinkShare] = []
  var positions: [Int: DocumentDiagnostic.Position] = [:]
  var sourceName: String?
  /// The form that the proof compiled; `nil` if the document has schedules or was not proved.
  var compiled: CompiledRollout?
  /// The warnings that the document silences. ``warnings`` already leaves them out.
  public internal(set) var allowances: [WarningAllowance] = []
  /// The warnings, sorted by position.
  public internal(set) var warnings: [DocumentDiagnostic] = []
}

extension RolloutDocument {
  /// Reads and proves a document.
  ///
  /// - Parameters:
  ///   - bytes: the JSON text.
  ///   - name: the document's name in diagnostics, usually that of its file.
  /// - Throws: ``DocumentError`` with all errors of the document.
  public init(reading bytes: some Sequence<UInt8>, name: String? = nil) throws(DocumentError) {
    var reader = try RolloutDocumentReader(bytes, name: name)
    self = try reader.document()
  }

  /// Reads a document that was proved before. Skips the proof and the positions.
  init(proved bytes: [UInt8]) throws(DocumentError) {
    var reader = try RolloutDocumentReader(bytes, name: nil)
    self = try reader.provedBefore()
  }
}

extension RolloutDocument {
  /// The times of all schedules' steps, in milliseconds since 1970-01-01T00:00:00Z, in order.
  public var changeTimes: [Int64] {
    flags.flatMap(\.changeTimes).distinctInOrder()
  }

  /// Whether any share changes with time.
  var hasSchedules: Bool {
    flags.contains(where: \.isSchedule)
  }

  /// The document compiled for a time.
  func compiled(at time: Int64?) -> CompiledRollout {
    compiled ?? CompiledRollout(self, at: time)
  }

  /// The number of steps of all schedules.
  var stepCount: Int {
    flags.reduce(0) { $0 + $1.changeTimes.count }
  }

  private var flags: [RolloutFlag] {
    [shouldSendLogToOldLogger, shouldSendLogToNewTracker] + sinks.map(\.flag)
      + rules.flatMap { rule in
        [rule.shouldSendLogToOldLogger, rule.shouldSendLogToNewTracker].compactMap { $0 } + rule.sinks.map(\.flag)
      }
  }
}
