import ArgumentParser
import DualSend
import DualSendCodeGeneration
import DualSendCommandLine
import DualSendCore

/// `dualsend generate`: writes Swift from a specification of events.
struct GenerateVerb: FormattedVerb {
  static let configuration = CommandConfiguration(
    commandName: "generate",
    abstract: "Write Swift from a specification of events: one structure per event.",
    discussion: """
      The specification is a folder with one Markdown file per event, one such file, or one JSON file; those of \
      Parchment's event generator (nested lists, a JSON array) are recognised.
      --output names a file or a folder (an existing one, or a name that ends in `/`). A folder gets one file per event; \
      generated files without an event are removed from it.
      Exit status 1 with --check, which writes nothing, if the files on disk differ.
      """.examples(
        "dualsend generate --spec Events -o Sources/App/Events.swift",
        "dualsend generate --spec Events -o Sources/App/Events.swift --check")
  )

  @Option(help: ArgumentHelp("The specification.", valueName: "folder|file"))
  var spec: String
  @Option(
    name: .output, help: ArgumentHelp("The output.", valueName: "file|folder"))
  var destination: String
  @Option(help: "The access level of the types: public or internal (default: internal).", transform: Self.word)
  var access = EventCodeGenerator.Access.internal
  @Flag(help: "Write nothing; name the files that differ, and exit with status 1 if there are any.")
  var check = false
  @OptionGroup var output: FormatOption

  /// Reads a raw value. The library's types do not conform to `ExpressibleByArgument`.
  private static func word<Word: RawRepresentable & CaseIterable>(
    _ text: String
  ) throws -> Word where Word.RawValue == String {
    if let word = Word(rawValue: text) { return word }
    let known = Word.allCases.map { "`\($0.rawValue)`" }.joined(separator: " or ")
    throw ValidationError("`\(text)` is not \(known)")
  }

  func run(on terminal: Terminal) async throws -> CommandStatus {
    let specification = try SpecificationInput.specification(at: spec)
    let code = try EventCodeGenerator(access: access).code(for: specification)
    let files = GeneratedOutput(code, to: destination)
    let changes = try check ? files.changes() : files.write()
    if check { terminal.report(changes.map { $0.change.finding($0.path) }) }
    if format == .json {
      terminal.result([
        "events": .int(Int64(specification.events.count)), "files": .int(Int64(files.count)), "written": .bool(!check),
        "changes": .array(changes.map { ["file": .string($0.path), "change": .string($0.change.rawValue)] }),
      ])
    } else {
      let verb = check ? "differ" : "changed"
      terminal.result(
        "\(specification.events.count.counted("event")) in \(files.count.counted("file")), \(changes.count.grouped) \(verb)"
      )
    }
    return !check || changes.isEmpty ? .clean : .findings
  }
}
