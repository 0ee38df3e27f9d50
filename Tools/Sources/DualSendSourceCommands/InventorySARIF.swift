import DualSendCore
import DualSendInventory
import DualSendSource

/// An inventory in the Static Analysis Results Interchange Format, SARIF 2.1.0 (OASIS, 2020), which code scanning tools
/// display. A place that is not exact is a note with the reasons; an exact one has the kind `informational`.
struct InventorySARIF {
  private let found: SourceInventory

  init(_ found: SourceInventory) {
    self.found = found
  }

  var json: EventValue {
    [
      "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
      "version": "2.1.0",
      "runs": [
        [
          "tool": ["driver": ["name": "dualsend", "rules": .array(Certainty.allCases.map(Self.rule))]],
          "columnKind": "utf16CodeUnits",
          "results": .array(found.inventory.callSites.map(Self.result)),
        ]
      ],
    ]
  }

  private static func rule(_ certainty: Certainty) -> EventValue {
    let text =
      switch certainty {
      case .exact: "Every name and every key that the call can send is known."
      case .partial: "Something that the call can send is not known."
      case .dynamic: "Nothing is known of the event's name."
      }
    return ["id": .string("log-call-" + certainty.rawValue), "shortDescription": ["text": .string(text)]]
  }

  private static let namedEvents = 8

  private static func result(_ site: CallSite) -> EventValue {
    let shown = site.events.prefix(namedEvents).map { "`\($0.name.printable())`" }
    let more = site.events.count > shown.count ? ["\(site.events.count - shown.count) more"] : []
    let names = shown.isEmpty ? "an event" : (shown + more).joined(separator: ", ")
    let reasons = site.open.isEmpty ? "" : ": " + site.open.map { $0.printable() }.joined(separator: "; ")
    return [
      "ruleId": .string("log-call-" + site.certainty.rawValue),
      "kind": site.certainty == .exact ? "informational" : "review",
      "level": site.certainty == .exact ? "none" : "note",
      "message": ["text": .string("logs \(names), \(site.certainty.rawValue)\(reasons)".withoutLinks)],
      "locations": [
        [
          "physicalLocation": [
            "artifactLocation": ["uri": .string(site.file.percentEncodedPath)],
            "region": ["startLine": .int(Int64(site.line))],
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
    let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/".utf8)
    return utf8.reduce(into: "") { text, byte in
      if plain.contains(byte) {
        text.append(Character(UnicodeScalar(byte)))
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        text += "%" + (digits.count == 1 ? "0" : "") + digits
      }
    }
  }
}
