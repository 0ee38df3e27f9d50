import ArgumentParser
package import DualSendCollector
package import DualSendCommandLine

/// `--format` of verbs that speak to a collector: what it speaks, the form of the verb's results, or one of each.
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
      "What the collector speaks (\(CollectorFormat.names)), or the form of results and diagnostics (text, json, github); may be given twice, one of each.",
      valueName: "name"),
    transform: { try Choice($0) })
  private var choices: [Choice] = []

  init() {}

  func validate() throws {
    if choices.count > 1, collectors.count != 1 || choices.count != 2 {
      throw ValidationError("--format goes twice only for a collector's format and a form of results")
    }
  }

  /// What the collector speaks.
  package var collector: CollectorFormat { collectors.first ?? .dualsend }

  /// The form of results and diagnostics.
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
  static let names = allCases.map(\.rawValue).joined(separator: ", ")

  init(named text: String) throws {
    guard let format = CollectorFormat(rawValue: text) else {
      throw ValidationError("there is no format \(text): \(Self.names)")
    }
    self = format
  }
}
