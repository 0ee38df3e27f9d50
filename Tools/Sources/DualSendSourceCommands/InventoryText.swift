import DualSendCommandLine
import DualSendCore
import DualSendInventory
import DualSendSource

/// An inventory as text: the places that are not exact, the events, and the totals.
struct InventoryText {
  private let found: SourceInventory
  private let limit: Int

  init(_ found: SourceInventory, limit: Int) {
    self.found = found
    self.limit = limit
  }

  var text: String {
    [openSites, events, totals].compactMap { $0 }.joined(separator: "\n")
  }

  private var sites: [CallSite] { found.inventory.callSites }

  private var openSites: String? {
    let open = sites.filter { $0.certainty != .exact }
    guard !open.isEmpty else { return nil }
    var table = TextTable([.words("place"), .words("certainty"), .words("name"), .words("why")])
    for site in bounded(open) {
      let names = site.events.map(\.name).joined(separator: ", ")
      table.addRow(["\(site.file):\(site.line)", site.certainty.rawValue, names, site.open.joined(separator: "; ")])
    }
    return table.text + rest(open.count)
  }

  private var events: String? {
    var byName: [ExactText: (sites: Int, keys: Set<ExactText>)] = [:]
    for site in sites {
      for event in site.events {
        byName[ExactText(event.name), default: (0, [])].sites += 1
        byName[ExactText(event.name), default: (0, [])].keys.formUnion(event.parameters.map { ExactText($0.key) })
      }
    }
    guard !byName.isEmpty else { return nil }
    var table = TextTable([.words("event"), .numbers("places"), .words("keys")])
    for (name, event) in bounded(byName.sorted { $0.key < $1.key }) {
      table.addRow([name.text, event.sites.grouped, event.keys.sorted().map(\.text).joined(separator: ", ")])
    }
    return table.text + rest(byName.count)
  }

  private var totals: String {
    func share(_ certainty: Certainty) -> String {
      let count = sites.count { $0.certainty == certainty }
      let part = sites.isEmpty ? "" : " (\(Int((Double(count) / Double(sites.count) * 100).rounded())) %)"
      return "\(count.grouped) \(certainty.rawValue)\(part)"
    }
    return
      "\(sites.count.counted("place")) that log\(sites.count == 1 ? "s" : "") in \(found.fileCount.counted("file"))"
      + " of \(found.lineCount.counted("line")): \(share(.exact)), \(share(.partial)), \(share(.dynamic))"
      + (found.skipped.isEmpty ? "" : "; \(found.skipped.count.counted("file")) passed over") + "\n" + recall
  }

  /// Compares the places with a plain text search for the names of the logging functions.
  private var recall: String {
    let recall = found.recall
    guard recall.hits > 0 else { return "" }
    let parts = [
      (recall.places, "listed"), (recall.followed, "followed to their callers"),
      (recall.others, "of other functions of that name"), (recall.uncalled, "no calls"),
    ].filter { $0.0 > 0 }.map { "\($0.0.grouped) \($0.1)" }
    return "a plain search for their names finds \(recall.hits.grouped): " + parts.joined(separator: ", ")
      + (recall.isComplete ? "" : "; the others are lost: report this") + "\n"
  }

  private func bounded<Element>(_ all: [Element]) -> ArraySlice<Element> {
    limit > 0 ? all.prefix(limit) : all[...]
  }

  private func rest(_ count: Int) -> String {
    limit > 0 && count > limit ? "… and \((count - limit).grouped) more; see --limit\n" : ""
  }
}
