package import ArgumentParser

/// The form of a command's results and diagnostics.
package enum OutputFormat: String, Sendable, Hashable, CaseIterable, ExpressibleByArgument {
  /// For people.
  case text
  /// For programs: canonical JSON.
  case json
  /// Diagnostics as annotations of a GitHub workflow, results as text.
  case github
}

/// The `--format` option; a verb takes it as an option group.
package struct FormatOption: ParsableArguments {
  @Option(name: .long, help: "The form of results and diagnostics.")
  package var format: OutputFormat = .text

  package init() {}
}
