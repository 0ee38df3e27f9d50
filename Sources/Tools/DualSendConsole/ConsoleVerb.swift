package import ArgumentParser
import DualSend
import DualSendCommandLine
import DualSendCommands
import DualSendCore
import Foundation

/// `dualsend console`: serves a page to compare both streams live and to edit the rollout.
package let consoleVerb: any ParsableCommand.Type = ConsoleVerb.self

struct ConsoleVerb: FormattedVerb {
  static let configuration = CommandConfiguration(
    commandName: "console",
    abstract: "Serve a page that compares old and new events live, and checks and publishes edits of the rollout.",
    discussion: """
      Prints the page's address once it listens, and runs until SIGINT or SIGTERM. It listens only on 127.0.0.1 and ::1. \
      The address contains a secret that allows publishing: do not share it.
      Send new events to ADDRESS/events, as to any collector. Old events come from --old-log, which is followed from its \
      end, or with --from-start from its start. An app's debug mirror sends both to ADDRESS/mirror. Apps can fetch the live document from ADDRESS/rollout.json.
      DOCUMENT is \(DocumentInput.forms). Publishing replaces a file, and its signature with --signing-key; a document at an \
      address needs --publish. The console follows the document and the table: a changed file is in force within a second, \
      unless it is refused.
      """.examples(
        "dualsend console rollout.json --remap remapping.json --old-log old.jsonl",
        "dualsend console --remap remapping.json --old-log old.jsonl \\\n      --new-log new.jsonl")
  )

  private static let beginning = """
    note: nothing is compared yet. Give the console
      rollout.json              the live document, to see and change who gets what
      --remap remapping.json    the table, to compare both sides of an event
      --old-log old.jsonl       the events of the old logger; new ones go to ADDRESS/events, or are in --new-log
      --from-start              to read what both files have already
    """

  @Argument(help: ArgumentHelp("The live rollout document.", valueName: "document"))
  var document: DocumentInput?
  @OptionGroup var options: ConsoleOptions
  @OptionGroup var context: ContextOptions
  @OptionGroup var output: FormatOption

  func validate() throws {
    if document?.isStandardInput == true {
      throw ValidationError("the document must be a file or an address, not standard input")
    }
  }

  func run(on terminal: Terminal) async throws -> CommandStatus {
    let session = try await ConsoleSession(
      document: document, options: options, context: context.context(unitID: nil), terminal: terminal)
    let address = try await session.start()
    if document == nil, options.hasNoSource { terminal.aside(Self.beginning, json: ["note": .string(Self.beginning)]) }
    if format == .json {
      terminal.result(["address": .string(address.absoluteString)])
    } else {
      terminal.result(address.absoluteString)
    }
    await Interruption.wait()
    await session.stop()
    return .clean
  }
}
