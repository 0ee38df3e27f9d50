public import ArgumentParser

/// The form of a command's results and diagnostics.
public enum OutputFormat: String, Sendable, Hashable, CaseIterable, ExpressibleByArgument {
  /// For people.
  case text
  /// Canonical JSON.
  case json
  /// Diagnostics as GitHub workflow annotations, results as text.
  case github
}

/// The `--format` option, for use as an option group.
public struct FormatOption: ParsableArguments, Sendable {
  /// The requested format; text by default.
  @Option(name: .long, help: "The form of results and diagnostics.")
  public var format: OutputFormat = .text

  /// Creates the option.
  public init() {}
}

/// A verb with the option `--format`.
public protocol FormattedVerb: Verb {
  /// The option.
  var output: FormatOption { get }
}

extension FormattedVerb {
  /// The requested format.
  public var format: OutputFormat { output.format }
}
