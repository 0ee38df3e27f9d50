import ArgumentParser
import DualSendCommandLine
import DualSendCore
import DualSendInventory
import DualSendSource

/// `dualsend inventory`: every place in the sources that logs, and what it can send.
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
      `dualsend coverage --inventory` and `dualsend draft --inventory`; --format sarif for tools that show results of \
      analyses.

      Exit status 1 if a file is not Swift and was passed over.
      """
  )

  /// The form of the result.
  enum Form: String, CaseIterable, ExpressibleByArgument {
    case text, json, sarif
  }

  @OptionGroup var sources: SourceInput
  @Option(name: .customLong("format"), help: "The form of the result.")
  var form: Form = .text
  @Option(help: ArgumentHelp("The most places that the text lists; 0 for all of them.", valueName: "lines"))
  var limit = 100

  var format: OutputFormat { form == .text ? .text : .json }

  init() {}

  func validate() throws {
    if limit < 0 { throw ValidationError("--limit is a number of lines, or 0") }
  }

  func run(on console: Console) async throws -> CommandStatus {
    let found = sources.inventory(of: try sources.texts(), on: console, functions: try sources.functions())
    console.report(found.findings)
    switch form {
    case .text: console.result(InventoryText(found, limit: limit).text)
    case .json: console.data(found.inventory.jsonLines)
    case .sarif: console.result(InventorySARIF(found).json)
    }
    return found.skipped.isEmpty ? .clean : .findings
  }
}
