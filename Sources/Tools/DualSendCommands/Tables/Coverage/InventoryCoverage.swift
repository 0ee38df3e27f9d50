import DualSend
import DualSendCommandLine
import DualSendCore
import DualSendRemapping
import DualSendSource

/// Compares an inventory of call sites with a remapping table and a stream of events.
///
/// An open call site may send unknown events or keys. A row that no known event uses is a finding only if no open call
/// site may send it.
struct InventoryCoverage {
  /// A row, or a whole entry, that no listed event uses.
  struct Unsent: Hashable {
    let event: ExactText
    /// `nil` for the entry.
    let source: KeyPathPattern?
    /// The number of open call sites that may use it.
    let openCallSites: Int
  }

  let inventory: Inventory
  let table: RemappingTable?
  /// The count of each event in the stream; `nil` without a stream.
  let seen: [ExactText: Int]?
  /// The listed events, with their call sites.
  let sent: [(site: CallSite, event: SentEvent)]

  /// The same, by exact name.
  private let senders: [ExactText: [(site: CallSite, event: SentEvent)]]
  private let patterns: [SentEvent]
  /// The number of call sites that may send any event.
  private let boundlessCallSites: Int

  init(inventory: Inventory, table: RemappingTable?, seen: [ExactText: Int]?) {
    (self.inventory, self.table, self.seen) = (inventory, table, seen)
    sent = inventory.callSites.flatMap { site in site.events.map { (site, $0) } }
    senders = Dictionary(grouping: sent.filter { !$0.event.isPattern }) { ExactText($0.event.name) }
    patterns = sent.filter { $0.event.isPattern && !$0.site.mayHaveOtherNames }.map(\.event)
    boundlessCallSites = inventory.callSites.count { $0.mayHaveOtherNames }
  }

  /// The number of call sites with a certainty.
  func count(_ certainty: Certainty) -> Int {
    inventory.callSites.count { $0.certainty == certainty }
  }

  /// The number of events that call sites name exactly.
  var eventCount: Int { senders.count }

  /// The number of call sites that may send an event of this name without listing it.
  private func openCallSites(forEvent name: ExactText) -> Int {
    boundlessCallSites + patterns.count { $0.mayBeNamed(name.text) }
  }

  /// Entries and rows that no listed event uses, sorted.
  func unsent() -> [Unsent] {
    guard let table else { return [] }
    let shared = table.ruleForOthers.rows
    let rules = table.rules.sorted { String.byteOrder($0.key, $1.key) }
    return rules.flatMap { name, rule -> [Unsent] in
      let event = ExactText(name)
      let open = openCallSites(forEvent: event)
      guard let senders = senders[event] else { return [Unsent(event: event, source: nil, openCallSites: open)] }
      let openKeys = Set(senders.filter(\.event.isOpen).map(\.site)).count
      let keys = senders.flatMap(\.event.parameters).compactMap { try? KeyPathPattern($0.key) }
      return rule.rows.filter { row in !shared.contains(row) && !row.isUsed(by: keys) }
        .map { Unsent(event: event, source: $0.source, openCallSites: open + openKeys) }
    }
  }

  /// Events of the stream that no call site lists, sorted.
  func unlisted() -> [Unsent] {
    (seen ?? [:]).keys.filter { senders[$0] == nil }.sorted()
      .map { Unsent(event: $0, source: nil, openCallSites: openCallSites(forEvent: $0)) }
  }
}

extension CallSite {
  /// Whether the call site may send events that it does not list.
  var mayHaveOtherNames: Bool {
    certainty != .exact && (events.isEmpty || open.count > events.count { $0.isOpen || $0.isPattern })
  }

  /// The place in the code.
  var position: DocumentDiagnostic.Position { DocumentDiagnostic.Position(line: line, column: column) }
}

extension RemappingRow {
  /// Whether any of these keys has the row's value, or a part of it, or contains it. A row with a default needs none.
  fileprivate func isUsed(by keys: [KeyPathPattern]) -> Bool {
    if case .move(_, let rule?) = action, rule.fallback != nil { return true }
    return keys.contains { $0.steps.starts(with: source.steps) || source.steps.starts(with: $0.steps) }
  }
}

// MARK: - Rendering

extension InventoryCoverage {
  /// The rows and events that only open call sites may send, then one line of totals.
  func text(limit: Int) -> String {
    var table = TextTable([.words("not known to be sent"), .words("of event"), .numbers("may be sent by")])
    let open = (unsent() + unlisted()).filter { $0.openCallSites > 0 }
    for unsent in open {
      table.addRow([
        unsent.source?.description ?? "(all)", unsent.event.text,
        unsent.openCallSites.counted("open call site"),
      ])
    }
    return (open.isEmpty ? "" : table.text(limit: limit) + "\n") + totals
  }

  private var totals: String {
    let shares = Certainty.allCases.map { certainty in
      "\(count(certainty).grouped) \(certainty.rawValue)"
        + " (\(count(certainty).percentage(of: inventory.callSites.count)))"
    }
    return "\(inventory.callSites.count.counted("call site")), \(eventCount.counted("event")): "
      + shares.joined(separator: ", ") + "\n"
  }

  /// The same as JSON, with the findings.
  func json(_ findings: [DocumentDiagnostic]) -> EventValue {
    [
      "callSites": .int(Int64(inventory.callSites.count)),
      "certainty": .object(
        Dictionary(uniqueKeysWithValues: Certainty.allCases.map { ($0.rawValue, .int(Int64(count($0)))) })),
      "findings": DiagnosticRenderer.value(findings),
      "openlySent": .array(
        (unsent() + unlisted()).filter { $0.openCallSites > 0 }.map { unsent in
          [
            "event": .string(unsent.event.text), "source": unsent.source.map { .string($0.description) } ?? .null,
            "openCallSites": .int(Int64(unsent.openCallSites)),
          ]
        }),
    ]
  }
}
