import DualSend
import DualSendCore
import DualSendInventory
import DualSendRemapping

/// An inventory of call sites held against a remapping table and a stream of events.
///
/// Nothing is claimed of what an open call site may send: a row that none of the known ones can produce is a finding only
/// where no call site is open enough to produce it after all.
struct InventoryCoverage {
  /// A row, or a whole entry, that no listed event of any call site can use.
  struct Unsent: Hashable {
    let event: ExactText
    /// `nil` for the entry.
    let source: KeyPathPattern?
    /// How many open call sites may use it all the same.
    let openCallSites: Int
  }

  let inventory: Inventory
  let table: RemappingTable?
  /// How often each event was seen; `nil` without a stream.
  let seen: [ExactText: Int]?
  /// The listed events with the call sites that send them.
  let sent: [(site: CallSite, event: SentEvent)]

  /// The same, by the names that are exact.
  private let senders: [ExactText: [(site: CallSite, event: SentEvent)]]
  private let patterns: [SentEvent]
  /// How many call sites may send any event at all.
  private let boundlessCallSites: Int

  init(inventory: Inventory, table: RemappingTable?, seen: [ExactText: Int]?) {
    (self.inventory, self.table, self.seen) = (inventory, table, seen)
    sent = inventory.callSites.flatMap { site in site.events.map { (site, $0) } }
    senders = Dictionary(grouping: sent.filter { !$0.event.isPattern }) { ExactText($0.event.name) }
    patterns = sent.filter { $0.event.isPattern && !$0.site.mayHaveOtherNames }.map(\.event)
    boundlessCallSites = inventory.callSites.count { $0.mayHaveOtherNames }
  }

  /// How many call sites there are of each certainty.
  func count(_ certainty: Certainty) -> Int {
    inventory.callSites.count { $0.certainty == certainty }
  }

  /// How many events the call sites name.
  var eventCount: Int { senders.count }

  /// The call sites that may send an event of this name beyond what is listed of them.
  private func openCallSites(forEvent name: ExactText) -> Int {
    boundlessCallSites + patterns.count { $0.mayBeNamed(name.text) }
  }

  /// Entries and rows that no listed event can use, sorted.
  func unsent() -> [Unsent] {
    guard let table else { return [] }
    let shared = Set(table.ruleForOthers.rows)
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

  /// Events that were seen and that no listed event is, with the open call sites that may send them, sorted.
  func unlisted() -> [Unsent] {
    (seen ?? [:]).keys.filter { senders[$0] == nil }.sorted()
      .map { Unsent(event: $0, source: nil, openCallSites: openCallSites(forEvent: $0)) }
  }
}

extension CallSite {
  /// Whether more is open than the listed events say: then it may be a name.
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
