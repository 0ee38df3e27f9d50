package import ArgumentParser
import DualSend
import DualSendCommandLine
import DualSendCommands
import DualSendCore
import Foundation

/// `dualsend console`: one page to see both streams live and to edit the rollout with its proof beside it.
package let consoleVerb: any ParsableCommand.Type = ConsoleVerb.self

struct ConsoleVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "console",
    abstract: "Serve a page that shows old and new events side by side and proves an edit of the rollout.",
    discussion: """
      Prints the page's address once it listens, and runs until SIGINT or SIGTERM. It listens on 127.0.0.1 and ::1 \
      only, and its address holds a secret: whoever knows it can publish.

      New events come to ADDRESS/events, as to any collector; old ones from --old-log, which is followed from its end, \
      or both from an app's debug mirror at ADDRESS/mirror. Apps can fetch the live document from ADDRESS/rollout.json.

      DOCUMENT is \(DocumentInput.forms). A file is published by replacing it, and its signature if there is a --key; \
      what is live at an address is published with --publish. The document and the table are followed: one that is \
      replaced on disk is in force within a second, unless it is refused.
      """
  )

  @Argument(help: ArgumentHelp("The rollout document that is live.", valueName: "document"))
  var document: DocumentInput?
  @OptionGroup var options: ConsoleOptions
  @OptionGroup var context: ContextOptions
  @OptionGroup var output: FormatOption

  var format: OutputFormat { output.format }

  init() {}

  func validate() throws {
    if document?.isStandardInput == true {
      throw ValidationError("a document that is published is a file or an address, not standard input")
    }
  }

  func run(on console: Console) async throws -> CommandStatus {
    let session = try await ConsoleSession(
      document: document, options: options, context: context.context(unitID: nil), console: console)
    let address = try await session.start()
    if format == .json {
      console.result(["address": .string(address.absoluteString)])
    } else {
      console.result(address.absoluteString)
    }
    await Interruption.wait()
    await session.stop()
    return .clean
  }
}
