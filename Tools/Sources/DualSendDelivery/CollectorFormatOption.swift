import ArgumentParser
package import DualSendCollector
package import DualSendCommandLine

/// `--format` of verbs that use a collector: the collector's wire format, the format of the results, or one of each.
package struct CollectorFormatOption: ParsableArguments {
  private enum Choice: Sendable {
    case collector(CollectorFormat)
    case results(OutputFormat)

    init(_ text: String) throws {
      if let format = CollectorFormat(rawValue: text) {
        self = .collector(format)
      } else if let format = OutputFormat(rawValue: text) {
        self = .results(format)
      } else {
        throw ValidationError("there is no format \(text): \(Self.names)")
      }
    }

    static var names: String {
      (CollectorFormat.allCases.map(\.rawValue) + OutputFormat.allCases.map(\.rawValue)).joined(separator: ", ")
    }
  }

  @Option(
    name: .customLong("format"), parsing: .singleValue,
    help: ArgumentHelp(
      "The collector's wire format (\(CollectorFormat.names)), or the format of results and diagnostics (text, json, github); may be given once for each.",
      valueName: "name"),
    transform: { try Choice($0) })
  private var choices: [Choice] = []

  package init() {}

  package func validate() throws {
    if choices.count > 1, collectors.count != 1 || choices.count != 2 {
      throw ValidationError("--format may be given twice only for a collector's format and a format of results")
    }
  }

  /// The collector's wire format.
  package var collector: CollectorFormat { collectors.first ?? .dualsend }

  /// The format of results and diagnostics.
  package var results: OutputFormat {
    for case .results(let format) in choices { return format }
    return .text
  }

  private var collectors: [CollectorFormat] {
    choices.compactMap { if case .collector(let format) = $0 { format } else { nil } }
  }
}

extension CollectorFormat {
  /// The names of all of them, for help.
  package static let names = allCases.map(\.rawValue).joined(separator: ", ")

  package init(named text: String) throws {
    guard let format = CollectorFormat(rawValue: text) else {
      throw ValidationError("there is no format \(text): \(Self.names)")
    }
    self = format
  }
}
