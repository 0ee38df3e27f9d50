import ArgumentParser
import DualSend
import DualSendCodeGeneration
import DualSendCommandLine
import DualSendGuard
import DualSendParity
import DualSendRemapping
import DualSendRollout

/// `dualsend schema`: prints the JSON Schema of a format.
struct SchemaVerb: Verb {
  /// A document that has a schema.
  enum Document: String, CaseIterable, ExpressibleByArgument {
    case rollout
    case remapping
    case normalisation
    case specification
    case `guard`
  }

  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Print the JSON Schema (draft 2020-12) of one of the documents that people edit.",
    discussion: "For editors and other validators. `dualsend validate` checks more than a schema can say."
  )

  @Argument(help: "The kind of document.")
  var document: Document
  @OptionGroup var output: FormatOption

  var format: OutputFormat { output.format }

  init() {}

  func run(on terminal: Terminal) async throws -> CommandStatus {
    switch document {
    case .rollout: terminal.result(RolloutDocument.schema)
    case .remapping: terminal.result(RemappingTable.schema)
    case .normalisation: terminal.result(Normalisation.schema)
    case .specification: terminal.result(EventSpecification.schema)
    case .guard: terminal.result(GuardPolicy.schema)
    }
    return .clean
  }
}
