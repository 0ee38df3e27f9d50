import DualSendCore
import DualSendRemapping

/// Inventories the result of a rewrite, and compares it with the old inventory mapped through the table.
struct FinishCheck {
  private let found: SourceInventory
  private let table: RemappingTable
  private let functions: [LoggingFunction]
  private let threads: Int
  /// The calls of the new tracker before the rewrite.
  private let there: [String: [SentEvent: Int]]

  init(
    _ texts: SourceTexts, _ found: SourceInventory, table: RemappingTable, functions: [LoggingFunction], threads: Int
  ) {
    (self.found, self.table, self.functions, self.threads) = (found, table, functions, threads)
    let before = SourceInventory(texts, functions: LoggingFunction.new, threads: threads)
    // A described function may already call the new tracker.
    func place(_ site: CallSite) -> String { "\(site.file):\(site.line):\(site.column)" }
    let described = Set(found.inventory.callSites.map(place))
    there = Self.events(before.inventory.callSites.filter { !described.contains(place($0)) })
  }

  private static func events(_ sites: [CallSite]) -> [String: [SentEvent: Int]] {
    Dictionary(grouping: sites, by: \.file).mapValues { sites in
      Dictionary(sites.flatMap { $0.events.map(\.withoutValues) }.map { ($0, 1) }, uniquingKeysWith: +)
    }
  }

  /// What could not be proved, by file.
  ///
  /// - Parameter rewritten: the numbers of the places that log with their new names and keys.
  func faults(_ after: SourceTexts, rewritten: Set<Int>) -> [String: String] {
    var faults: [String: String] = [:]
    let new = SourceInventory(after, functions: functions + LoggingFunction.new, threads: threads)
    for skipped in new.skipped where !found.skipped.contains(where: { $0.file == skipped.file }) {
      faults[skipped.file] = "it could not be shown that the result is Swift"
    }
    var wanted = there
    for (number, one) in found.written.enumerated() {
      for event in one.site.events {
        let meant = (rewritten.contains(number) ? event.renamed(by: table) : nil) ?? event
        wanted[one.site.file, default: [:]][meant.withoutValues, default: 0] += 1
      }
    }
    let got = Self.events(new.inventory.callSites)
    for file in Set(wanted.keys).union(got.keys) where faults[file] == nil && wanted[file] ?? [:] != got[file] ?? [:] {
      let missing = (wanted[file] ?? [:]).filter { got[file]?[$0.key] != $0.value }.keys
      let names = Set(missing.map(\.name)).sorted().joined(separator: ", ")
      faults[file] = "it could not be shown that the result logs what the table says of \(names)"
    }
    return faults
  }
}
