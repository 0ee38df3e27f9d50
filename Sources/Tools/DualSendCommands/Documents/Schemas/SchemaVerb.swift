import ArgumentParser
import DualSendCommandLine
import DualSendRollout

/// `dualsend schema`: prints the JSON Schema of a format.
///
/// The schemas are the JSON files beside this one, which `Fixtures/schemas` links to. The schema of rollouts is Swift,
/// because it names the conditions that rules can have.
struct SchemaVerb: FormattedVerb {
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
    discussion: "For editors and other validators. `dualsend validate` checks more than a schema can say.".examples(
      "dualsend schema rollout > rollout.schema.json")
  )

  @Argument(help: "The kind of document.")
  var document: Document
  @OptionGroup var output: FormatOption

  func run(on terminal: Terminal) async throws -> CommandStatus {
    switch document {
    case .rollout: terminal.result(RolloutDocument.schema)
    case .remapping: terminal.result(Self.text(PackageResources.remapping_schema_json))
    case .normalisation: terminal.result(Self.text(PackageResources.normalisation_schema_json))
    case .specification: terminal.result(Self.text(PackageResources.specification_schema_json))
    case .guard: terminal.result(Self.text(PackageResources.guard_schema_json))
    }
    return .clean
  }

  private static func text(_ file: [UInt8]) -> String { String(decoding: file, as: UTF8.self) }
}
