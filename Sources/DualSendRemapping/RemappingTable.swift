public import DualSendCore

/// How each event's name and values change on the way from the old logger to the new tracker.
///
/// A table is checked as a whole when it is read: one that is accepted applies without a fault to any payload. Every row
/// reads the old payload and writes a fresh one, so rows have no order and swaps work.
///
/// Read from the JSON document that ops edit, or written as a literal: `["app.open": "app.launch"]`.
public struct RemappingTable: Sendable {
  /// The rules by the event's old name, the rows of `*` merged in.
  public let rules: [String: EventRule]
  /// The rule for every other event.
  public let ruleForOthers: EventRule
  /// Findings that do not refuse the table, such as a row that changes nothing.
  public let warnings: [DocumentDiagnostic]
  /// The rows of a literal that were left out, and why; empty for a table that was read from a document.
  public internal(set) var problems: [DocumentDiagnostic] = []

  private let eventNames: KeyTable
  private let plans: [EventPlan]
  private let planForOthers: EventPlan

  /// Reads and checks a table.
  ///
  /// - Parameters:
  ///   - bytes: the table, JSON in UTF-8.
  ///   - name: what diagnostics call it, usually the file's name.
  /// - Throws: every finding of one pass; nothing of a refused table is in force.
  public init(_ bytes: some Sequence<UInt8>, name: String? = nil) throws(DocumentError) {
    try self.init(bytes, name: name, hasPlaces: true)
  }

  /// - Parameter hasPlaces: whether findings name lines and columns.
  init(_ bytes: some Sequence<UInt8>, name: String?, hasPlaces: Bool) throws(DocumentError) {
    let tableReader = try RemappingTableReader(bytes, name: name, hasPlaces: hasPlaces)
    var merger = RuleMerger(
      reader: tableReader.reader, wildcard: tableReader.wildcard)
    let ruleForOthers = merger.ruleForOthers()
    var rules: [String: EventRule] = [:]
    for (event, draft) in tableReader.drafts { rules[event] = merger.rule(of: draft) }
    if merger.reader.hasErrors { throw DocumentError(merger.reader.diagnostics) }
    self.init(rules: rules, ruleForOthers: ruleForOthers, warnings: merger.reader.diagnostics.sorted())
  }

  /// A table that changes nothing.
  public init() {
    self.init(rules: [:], ruleForOthers: EventRule(), warnings: [])
  }

  init(rules: [String: EventRule], ruleForOthers: EventRule, warnings: [DocumentDiagnostic] = []) {
    self.rules = rules
    self.ruleForOthers = ruleForOthers
    self.warnings = warnings
    eventNames = KeyTable(rules.keys)
    plans = rules.values.map { EventPlan($0) }
    planForOthers = EventPlan(ruleForOthers)
  }

  /// The event under its new name and with its new payload.
  ///
  /// Never fails: a value that cannot be converted is kept as it was, or replaced by the row's default, and counted.
  /// The cost depends on the rows of this event and on the payload, not on the size of the table.
  public func apply(to name: String, payload: [String: EventValue]) -> RemappedEvent {
    plan(for: name).apply(to: name, payload)
  }

  /// The same, with the way of each value; slower, for people.
  public func trace(_ name: String, payload: [String: EventValue]) -> (
    remapped: RemappedEvent, trace: RemappingTrace
  ) {
    plan(for: name).trace(name, payload)
  }

  /// The rule that holds for an event.
  public func rule(for name: String) -> EventRule {
    plan(for: name).rule
  }

  /// Whether the table has an entry of this very name.
  public func hasEntry(for name: String) -> Bool {
    eventNames.number(of: name) >= 0
  }

  private func plan(for name: String) -> EventPlan {
    let number = eventNames.number(of: name)
    return number < 0 ? planForOthers : plans[number]
  }
}
