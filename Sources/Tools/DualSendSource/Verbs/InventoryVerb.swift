package import ArgumentParser
import DualSendCommandLine
import DualSendCore
import DualSendRemapping
import DualSendTables

/// The verbs that read an app's sources.
package enum SourceVerbs {
  package static let all: [any ParsableCommand.Type] = [InventoryVerb.self]
}

/// `dualsend inventory`: lists every place in the sources that logs, and the events that it can send.
struct InventoryVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "inventory",
    abstract: "List every place in an app's sources that logs: events, keys, types, and how sure that is.",
    discussion: """
      Reads Swift without building it. By default a call of logEvents(name:parameters:) logs, and of DualSendTracker's \
      own functions; --calls names a team's. A function that passes its parameters on to a logging function is followed: \
      the inventory then lists its callers.

      exact: every name and every key that the call can send is listed. partial: something is open, and it is said what \
      and why. dynamic: no name could be found. The text lists what is not exact; --format json is one line a place, for \
      `dualsend table coverage --inventory` and `dualsend table draft --inventory`; --format sarif for tools that show \
      results of analyses.

      --suggest lists the functions that may log, with the number of their calls, an example and the description for \
      --calls: those with a name and a dictionary, those that call a logging SDK, and those of SDKs that are called. It \
      chooses none: put the descriptions of those that log events into the file of --calls.

      --remap lists what a remapping table makes of each place: the new name and keys, the row of the table that says so, \
      and what a person must write besides them. Nothing is edited.

      Exit status 1 if a file is not Swift and was passed over, or if --suggest finds nothing.
      """.examples(
        "dualsend inventory --suggest Sources",
        "dualsend inventory --calls calls.json --format json Sources \\\n      > inventory.jsonl",
        "dualsend inventory --remap remapping.json --format csv Sources \\\n      > renaming.csv")
  )

  /// The form of the result.
  enum Form: String, CaseIterable, ExpressibleByArgument {
    case text, json, sarif
    /// With `--remap` alone.
    case csv
  }

  @OptionGroup var sources: SourceInput
  @Option(name: .customLong("format"), help: "The form of the result.")
  var form: Form = .text
  @Flag(help: "List the functions that may log, with their descriptions for --calls.")
  var suggest = false
  @Option(help: ArgumentHelp("List what this remapping table makes of each place.", valueName: "table"))
  var remap: String?
  @Option(help: ArgumentHelp("The most places that the text lists; 0 for all of them.", valueName: "lines"))
  var limit = 100

  var format: OutputFormat { form == .text || form == .csv ? .text : .json }

  init() {}

  func validate() throws {
    if limit < 0 { throw ValidationError("--limit is a number of lines, or 0") }
    if form == .csv, remap == nil { throw ValidationError("--format csv needs --remap") }
    if remap != nil, form == .sarif { throw ValidationError("--remap has no --format sarif") }
    if remap != nil, suggest { throw ValidationError("--suggest and --remap are two commands") }
  }

  func run(on terminal: Terminal) async throws -> CommandStatus {
    if suggest { return try listCandidates(on: terminal) }
    let table = try remap.map { name in
      let bytes = try InputFile.bytes(name)
      return (name: name, table: try RemappingTable(reading: bytes, name: name), places: TablePlaces(bytes))
    }
    if let table { terminal.report(table.table.warnings) }
    let found = sources.inventory(of: try sources.texts(on: terminal), on: terminal, functions: try sources.functions())
    terminal.report(found.findings)
    if let table {
      write(RenamingList(found.inventory.callSites, table.table, table.places), table.name, on: terminal)
      return found.skipped.isEmpty ? .clean : .findings
    }
    switch form {
    case .csv: break
    case .text: terminal.result(InventoryText(found, limit: limit).text)
    case .json: terminal.data(found.inventory.jsonLines)
    case .sarif: terminal.result(found.inventory.sarif)
    }
    if found.inventory.callSites.isEmpty, sources.calls == nil {
      terminal.note(
        "note: no place logs by the functions that are always known; `--suggest` lists the app's own")
    }
    return found.skipped.isEmpty ? .clean : .findings
  }

  private func write(_ list: RenamingList, _ table: String, on terminal: Terminal) {
    switch form {
    case .text: terminal.result(list.text(table: table, limit: limit))
    case .csv: terminal.data(list.csv(table: table))
    case .json, .sarif: terminal.data(list.jsonLines(table: table))
    }
  }

  /// Lists the functions that may log, with their descriptions.
  private func listCandidates(on terminal: Terminal) throws -> CommandStatus {
    let candidates = LoggingSuggestions(try sources.texts(on: terminal), threads: sources.threadCount).candidates
    guard !candidates.isEmpty else {
      terminal.note("no function of these sources looks as if it logs: describe it by hand, see --calls")
      return .findings
    }
    var table = TextTable([.numbers("calls"), .words("description"), .words("for example")])
    for one in candidates {
      let place = "\(one.example.file):\(one.example.line)"
      table.addRow([one.callCount.grouped, one.description.canonicalText, place + "  " + one.example.text])
      if form != .text {
        terminal.result([
          "calls": .int(Int64(one.callCount)), "description": one.description, "example": .string(place),
        ])
      }
    }
    if form == .text { terminal.result(table.text(limit: limit)) }
    return .clean
  }
}

// MARK: - Inventory text

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
    for site in open {
      let names = site.events.map(\.name).joined(separator: ", ")
      table.addRow(["\(site.file):\(site.line)", site.certainty.rawValue, names, site.open.joined(separator: "; ")])
    }
    return table.text(limit: limit)
  }

  private var events: String? {
    let byName = Dictionary(grouping: sites.flatMap(\.events)) { ExactText($0.name) }
    guard !byName.isEmpty else { return nil }
    var table = TextTable([.words("event"), .numbers("places"), .words("keys")])
    for (name, events) in byName.sorted(by: { $0.key < $1.key }) {
      let keys = Set(events.flatMap(\.parameters).map { ExactText($0.key) })
      table.addRow([name.text, events.count.grouped, keys.sorted().map(\.text).joined(separator: ", ")])
    }
    return table.text(limit: limit)
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
    return "a plain search for their names finds \(recall.hits.grouped): \(parts.joined(separator: ", "))\n"
  }
}
