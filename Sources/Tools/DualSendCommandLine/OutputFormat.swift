package import ArgumentParser

/// The form of a command's results and diagnostics.
package enum OutputFormat: String, Sendable, Hashable, CaseIterable, ExpressibleByArgument {
  /// For people.
  case text
  /// Canonical JSON.
  case json
  /// Diagnostics as GitHub workflow annotations, results as text.
  case github
}

/// The `--format` option, for use as an option group.
package struct FormatOption: ParsableArguments, Sendable {
  /// The requested format; text by default.
  @Option(name: .long, help: "The form of results and diagnostics.")
  package var format: OutputFormat = .text

  /// Creates the option.
  package init() {}
}

/// A verb with the option `--format`.
package protocol FormattedVerb: Verb {
  /// The option.
  var output: FormatOption { get }
}

extension FormattedVerb {
  /// The requested format.
  package var format: OutputFormat { output.format }
}
