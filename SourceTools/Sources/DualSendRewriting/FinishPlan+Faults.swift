import DualSendCore
import DualSendInventory
import DualSendSource

extension FinishPlan {
  /// Reads the result as if it were anybody's, and holds it against what was meant.
  ///
  /// - Returns: the files that do not log what they should, each with what could not be shown.
  func faults(
    _ texts: SourceTexts, _ expected: [Int: [SentEvent]], _ passages: Set<LiteralCall.Passage>,
    functions: [LoggingFunction], threads: Int
  ) -> [String: String] {
    var faults: [String: String] = [:]
    let after = result(of: texts)
    let new = SourceInventory(after, functions: LoggingFunction.new, threads: threads, writesOut: false)
    for skipped in new.skipped where changed[skipped.file] != nil {
      faults[skipped.file] = "the result is Swift"
    }
    let before = SourceInventory(texts, functions: LoggingFunction.new, threads: threads, writesOut: false)
    let found = Dictionary(grouping: new.inventory.callSites, by: \.file)
    let there = Dictionary(grouping: before.inventory.callSites, by: \.file)
    for (number, events) in expected {
      let file = texts.paths[number]
      let all = (found[file] ?? []).flatMap(\.events)
      // Calls of the new tracker that were there before stay.
      let added = all.counted.subtracting((there[file] ?? []).flatMap(\.events).counted)
      if added != events.counted {
        let difference = events.counted.subtracting(added).keys.map(\.name).sorted(by: String.byteOrder)
        faults[file] = "the result logs what the table says of " + difference.joined(separator: ", ")
      }
    }
    let old = SourceInventory(after, functions: functions, threads: threads, writesOut: false)
    let staying = left.map(\.site.withoutPlace).counted
    // What the callers of a function logged, it logs itself for all that is known, when they are gone.
    let orphans = Set(
      passages.map { [texts.paths[$0.file], $0.type, $0.function] })
    let remaining = old.inventory.callSites.filter { site in
      !(site.open.contains(SourceInventory.nobodyCalls) && orphans.contains([site.file, site.type, site.function]))
    }.map(\.withoutPlace).counted
    for site in Set(staying.subtracting(remaining).keys).union(remaining.subtracting(staying).keys) {
      faults[site.file] = faults[site.file] ?? "a call that stays logs what it did"
    }
    return faults
  }
}

extension Sequence where Element: Hashable {
  /// How often each element is there.
  fileprivate var counted: [Element: Int] { Dictionary(map { ($0, 1) }, uniquingKeysWith: +) }
}

extension [SentEvent: Int] {
  fileprivate func subtracting(_ other: [SentEvent: Int]) -> [SentEvent: Int] {
    merging(other.mapValues { -$0 }, uniquingKeysWith: +).filter { $0.value > 0 }
  }
}

extension [CallSite: Int] {
  fileprivate func subtracting(_ other: [CallSite: Int]) -> [CallSite: Int] {
    merging(other.mapValues { -$0 }, uniquingKeysWith: +).filter { $0.value > 0 }
  }
}

extension CallSite {
  /// What it logs, wherever it stands: lines move when others above are written anew.
  fileprivate var withoutPlace: CallSite {
    CallSite(
      certainty: certainty, file: file, line: 0, column: 0, type: type, function: function, via: via, open: open,
      events: events)
  }
}
