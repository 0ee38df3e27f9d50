public import ArgumentParser

/// The form of a command's results and diagnostics.
public enum OutputFormat: String, Sendable, Hashable, CaseIterable, ExpressibleByArgument {
  /// For people.
  case text
  /// For programs: canonical JSON.
  case json
  /// Diagnostics as annotations of a GitHub workflow, results as text.
  case github
}

/// The `--format` option; a verb takes it as an option group.
public struct FormatOption: ParsableArguments, Sendable {
  /// The form that was asked for; text by default.
  @Option(name: .long, help: "The form of results and diagnostics.")
  public var format: OutputFormat = .text

  /// Made by the parser of arguments.
  public init() {}
}
