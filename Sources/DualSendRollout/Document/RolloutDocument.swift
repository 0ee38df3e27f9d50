public import DualSendCore

/// A rollout as ops write it: two flags, and rules that say otherwise for some events, versions, platforms or units.
///
/// A value of this type was read strictly and proved: nobody is left without a sink unless the document says so.
public struct RolloutDocument: Sendable {
  /// The highest format that this version reads; it reads all from 1 on.
  public static let formatVersion: Int64 = 2
  /// The first format that may name sinks. Apps of before it refuse such a document, which they could not follow.
  static let formatVersionOfSinks: Int64 = 2

  /// Counts up with every edit.
  public let revision: Int64
  /// What the units' buckets are derived with.
  public let salt: String
  /// How many units keep the old logger where no rule says otherwise; 100 % if the document leaves it out.
  public let shouldSendLogToOldLogger: RolloutFlag
  /// How many units have the new tracker where no rule says otherwise; 0 % if the document leaves it out.
  public let shouldSendLogToNewTracker: RolloutFlag
  /// Whether units may have neither sink where the top level decides one of the two.
  public let allowNeither: Bool
  /// Which sinks a unit-less event reaches where the decision would need a bucket.
  public let missingUnit: MissingUnitOutcome
  /// The rules; for each flag the first one that matches and sets it decides.
  public let rules: [RolloutRule]
  let offsets: RolloutOffsets
  /// The sinks that the document narrows where no rule says otherwise, in its order.
  public internal(set) var sinks: [RolloutSinkShare] = []
  var positions: [Int: DocumentDiagnostic.Position] = [:]
  var sourceName: String?
  /// The document compiled for its proof, which is the same at any time; `nil` if it has schedules or was not proved.
  var compiled: CompiledRollout?
  /// The warnings that the document silences on purpose; those of reading are silent already.
  public internal(set) var allowances: [WarningAllowance] = []
  /// What somebody should look at, sorted by place. Never an error.
  public internal(set) var warnings: [DocumentDiagnostic] = []
}

extension RolloutDocument {
  /// Reads and proves a document.
  ///
  /// - Parameters:
  ///   - bytes: the JSON text.
  ///   - name: what diagnostics call the document, usually a file name.
  /// - Throws: ``DocumentError`` with every fault of the document in one go.
  public init(reading bytes: some Sequence<UInt8>, name: String? = nil) throws(DocumentError) {
    var reader = try RolloutDocumentReader(bytes, name: name)
    self = try reader.document()
  }

  /// Reads a document that was proved before. It has no places, for nothing is found in it.
  init(proved bytes: [UInt8]) throws(DocumentError) {
    var reader = try RolloutDocumentReader(bytes, name: nil)
    self = try reader.provedBefore()
  }
}

extension RolloutDocument {
  /// Every time at which a schedule takes a step, in milliseconds since 1970-01-01T00:00:00Z, in order.
  public var changeTimes: [Int64] {
    Set(flags.flatMap(\.changeTimes)).sorted()
  }

  /// Whether any share changes with time.
  var hasSchedules: Bool {
    flags.contains(where: \.isSchedule)
  }

  /// The document at a time, taken apart for deciding.
  func compiled(at time: Int64?) -> CompiledRollout {
    compiled ?? CompiledRollout(self, at: time)
  }

  /// How many steps all schedules have together.
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
