public import DualSendCore

/// Maps the names and payloads of the old logger's events to those of the new tracker.
///
/// A table is validated when it is read, so applying it never fails. Every row reads the old payload and writes a new one:
/// the order of rows has no effect, and swaps work.
///
/// Read it from a JSON document, or write it as a literal: `["app.open": "app.launch"]`.
public struct RemappingTable: Sendable {
  /// The rules by the event's old name, including the rows of `*`.
  package let rules: [String: EventRule]
  /// The rule for every other event.
  package let ruleForOthers: EventRule
  /// The warnings, such as for a row that changes nothing.
  public let warnings: [DocumentDiagnostic]
  /// The errors of a literal, whose rows were left out; empty for a table that was read from a document.
  public internal(set) var problems: [DocumentDiagnostic] = []

  private let eventNames: KeyTable
  private let plans: [EventPlan]
  private let planForOthers: EventPlan

  /// Reads and checks a table.
  ///
  /// - Parameters:
  ///   - bytes: the JSON text.
  ///   - name: the table's name in diagnostics, usually that of its file.
  /// - Throws: `DocumentError` with all errors of the table.
  public init(reading bytes: some Sequence<UInt8>, name: String? = nil) throws(DocumentError) {
    try self.init(reading: bytes, name: name, hasPlaces: true)
  }

  /// - Parameter hasPlaces: whether findings name lines and columns.
  init(reading bytes: some Sequence<UInt8>, name: String?, hasPlaces: Bool) throws(DocumentError) {
    let tableReader = try RemappingTableReader(bytes, name: name, hasPlaces: hasPlaces)
    var merger = RuleMerger(
      reader: tableReader.reader, wildcard: tableReader.wildcard)
    let ruleForOthers = merger.ruleForOthers()
    var rules: [String: EventRule] = [:]
    for (event, draft) in tableReader.drafts { rules[event] = merger.rule(of: draft) }
    if merger.reader.hasErrors { throw DocumentError(merger.reader.diagnostics) }
    self.init(rules: rules, ruleForOthers: ruleForOthers, warnings: merger.reader.diagnostics.inOrder())
  }

  /// A table that changes nothing.
  public init() {
    self.init(rules: [:], ruleForOthers: EventRule(), warnings: [])
  }

  package init(rules: [String: EventRule], ruleForOthers: EventRule, warnings: [DocumentDiagnostic] = []) {
    self.rules = rules
    self.ruleForOthers = ruleForOthers
    self.warnings = warnings
    eventNames = KeyTable(rules.keys)
    plans = rules.values.map { EventPlan($0) }
    planForOthers = EventPlan(ruleForOthers)
  }

  /// Returns the event with its new name and payload.
  ///
  /// Never fails: a value that cannot be converted is counted, and kept or replaced by the row's default. The cost depends on
  /// the event's rows and payload, not on the size of the table.
  public func apply(to name: String, payload: [String: EventValue]) -> RemappedEvent {
    plan(for: name).apply(to: name, payload)
  }

  /// Remaps an event and traces each value. Slower than ``apply(to:payload:)``.
  package func trace(_ name: String, payload: [String: EventValue]) -> (
    remapped: RemappedEvent, trace: RemappingTrace
  ) {
    plan(for: name).trace(name, payload)
  }

  /// The rule for an event.
  package func rule(for name: String) -> EventRule {
    plan(for: name).rule
  }

  /// Whether the table has an entry for this name, besides `*`.
  package func hasEntry(for name: String) -> Bool {
    eventNames.number(of: name) >= 0
  }

  private func plan(for name: String) -> EventPlan {
    let number = eventNames.number(of: name)
    return number < 0 ? planForOthers : plans[number]
  }
}

// MARK: - Remapped event

// MARK: - Settings of an event

extension RemappingTable {
  /// The treatment of values that no row names.
  public enum Unmapped: String, Sendable, Hashable, CaseIterable {
    /// Keep them.
    case keep
    /// Drop them.
    case drop
    /// Keep them, and list their paths in ``RemappedEvent/unmapped``.
    case report
  }

  /// The value that wins a clash: a row writes to a path where the payload has a value that no row names.
  public enum ClashPolicy: String, Sendable, Hashable, CaseIterable {
    /// The value of the row or of `add`.
    case mapped
    /// The value of the payload.
    case payload
  }
}
