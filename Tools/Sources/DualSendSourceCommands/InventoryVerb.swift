import ArgumentParser
import DualSendCommandLine
import DualSendCore
import DualSendInventory
import DualSendSource
import Foundation

/// `dualsend inventory`: lists every place in the sources that logs, and the events that it can send.
struct InventoryVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "inventory",
    abstract: "List every place in an app's sources that logs: events, keys, types, and how sure that is.",
    discussion: """
      Reads Swift without building it. By default a call of logEvents(name:parameters:) logs, and of DualSendTracker's \
      own functions; --calls names a team's. Functions that hand their parameters on to one that logs are followed by \
      themselves: then their callers are the places.

      exact: every name and every key that the call can send is listed. partial: something is open, and it is said what \
      and why. dynamic: no name could be found. The text lists what is not exact; --format json is one line a place, for \
      `dualsend table coverage --inventory` and `dualsend table draft --inventory`; --format sarif for tools that show \
      results of analyses.

      --suggest looks for functions that look as if they log, lists them with the number of their calls and an example \
      each, and writes a description of them for --calls. Take out what logs for people.

      Exit status 1 if a file is not Swift and was passed over, or if --suggest finds nothing.
      """
  )

  /// The form of the result.
  enum Form: String, CaseIterable, ExpressibleByArgument {
    case text, json, sarif
  }

  @OptionGroup var sources: SourceInput
  @Option(name: .customLong("format"), help: "The form of the result.")
  var form: Form = .text
  @Option(
    help: ArgumentHelp(
      "Describe functions that look as if they log in this new file, for --calls.", valueName: "calls.json"))
  var suggest: String?
  @Option(help: ArgumentHelp("The most places that the text lists; 0 for all of them.", valueName: "lines"))
  var limit = 100

  var format: OutputFormat { form == .text ? .text : .json }

  init() {}

  func validate() throws {
    if limit < 0 { throw ValidationError("--limit is a number of lines, or 0") }
  }

  func run(on terminal: Terminal) async throws -> CommandStatus {
    if let suggest { return try describe(in: suggest, on: terminal) }
    let found = sources.inventory(of: try sources.texts(), on: terminal, functions: try sources.functions())
    terminal.report(found.findings)
    switch form {
    case .text: terminal.result(InventoryText(found, limit: limit).text)
    case .json: terminal.data(found.inventory.jsonLines)
    case .sarif: terminal.result(InventorySARIF(found).json)
    }
    if found.inventory.callSites.isEmpty, sources.calls == nil {
      terminal.note(
        "note: no place logs by the functions that are always known; `--suggest calls.json` looks for the app's own")
    }
    return found.skipped.isEmpty ? .clean : .findings
  }

  /// Lists the candidates, and writes their descriptions.
  private func describe(in file: String, on terminal: Terminal) throws -> CommandStatus {
    if FileManager.default.fileExists(atPath: file) {
      throw CommandError("\(file) is there already", help: "name a new file, or give it with --calls")
    }
    let candidates = LoggingSuggestions(try sources.texts(), threads: sources.threadCount).candidates
    guard !candidates.isEmpty else {
      terminal.note("no function of these sources looks as if it logs: describe it by hand, see --calls")
      return .findings
    }
    var table = TextTable([.words("function"), .words("type"), .numbers("calls"), .words("for example")])
    for candidate in candidates {
      let (path, line, text) = candidate.example
      table.addRow([candidate.signature, candidate.type ?? "", candidate.callCount.grouped, "\(path):\(line)  \(text)"])
    }
    terminal.result(table.text)
    let calls = candidates.map { "    " + $0.description.canonicalText }.joined(separator: ",\n")
    try InputFile.replace(file, with: Array("{\n  \"formatVersion\": 1,\n  \"calls\": [\n\(calls)\n  ]\n}\n".utf8))
    terminal.note(
      "\(candidates.count.counted("function")) described in \(file): take out what logs for people, then give it with --calls"
    )
    return .clean
  }
}
