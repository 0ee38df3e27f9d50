package import DualSendCore
import Foundation

extension Inventory {
  /// The inventory in the Static Analysis Results Interchange Format, SARIF 2.1.0 (OASIS, 2020), which code scanning tools
  /// display. A place that is not exact is a note with the reasons; an exact one has the kind `informational`.
  package var sarif: EventValue {
    [
      "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
      "version": "2.1.0",
      "runs": [
        [
          "tool": ["driver": ["name": "dualsend", "rules": .array(Certainty.allCases.map(\.sarifRule))]],
          "columnKind": "utf16CodeUnits",
          "results": .array(callSites.map(\.sarifResult)),
        ]
      ],
    ]
  }
}

extension Certainty {
  fileprivate var sarifID: EventValue { .string("log-call-" + rawValue) }

  fileprivate var sarifRule: EventValue {
    let text =
      switch self {
      case .exact: "Every name and every key that the call can send is known."
      case .partial: "Something that the call can send is not known."
      case .dynamic: "Nothing is known of the event's name."
      }
    return ["id": sarifID, "shortDescription": ["text": .string(text)]]
  }
}

extension CallSite {
  private static let namedEvents = 8

  fileprivate var sarifResult: EventValue {
    let shown = events.prefix(Self.namedEvents).map { "`\($0.name.printable())`" }
    let more = events.count > shown.count ? ["\(events.count - shown.count) more"] : []
    let names = shown.isEmpty ? "an event" : (shown + more).joined(separator: ", ")
    let reasons = open.isEmpty ? "" : ": " + open.map { $0.printable() }.joined(separator: "; ")
    return [
      "ruleId": certainty.sarifID,
      "kind": certainty == .exact ? "informational" : "review",
      "level": certainty == .exact ? "none" : "note",
      "message": ["text": .string("logs \(names), \(certainty.rawValue)\(reasons)".withoutLinks)],
      "locations": [
        [
          "physicalLocation": [
            "artifactLocation": ["uri": .string(file.percentEncodedPath)],
            "region": ["startLine": .int(Int64(line))],
          ]
        ]
      ],
    ]
  }
}

extension String {
  /// A message without embedded links (SARIF 2.1.0, 3.11.6): text that a viewer would show as a link is escaped.
  fileprivate var withoutLinks: String {
    replacing("\\", with: "\\\\").replacing("[", with: "\\[").replacing("]", with: "\\]")
  }

  /// A file's name as a relative reference of RFC 3986: all characters are encoded, except those of a path.
  fileprivate var percentEncodedPath: String {
    let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
    return addingPercentEncoding(withAllowedCharacters: CharacterSet(charactersIn: letters + "-._~/")) ?? ""
  }
}
