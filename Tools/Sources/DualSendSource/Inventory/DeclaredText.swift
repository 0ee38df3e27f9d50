import Foundation

/// A constant or a case whose text is a name or a key.
package struct DeclaredText: Sendable {
  /// The name with its type: `Key.id`.
  package let name: String
  /// The last name of its enum; `nil` for a constant.
  package let owner: String?
  /// Whether its text is also read or stored.
  package let isCoded: Bool
}

extension DeclaredText {
  /// The enums whose cases are made of texts, and the texts that stand where their files are read.
  static func readRawValues(_ owners: Set<String>, _ texts: SourceTexts) -> (types: Set<String>, literals: Set<String>)
  {
    let byName = Dictionary(grouping: owners) { $0.split(separator: ".").last.map(String.init) ?? "" }
    var (types, literals): (Set<String>, Set<String>) = ([], [])
    for file in texts.paths.indices {
      guard let text = texts.text(file), text.contains("(rawValue:") else { continue }
      for part in text.components(separatedBy: "(rawValue:").dropLast() {
        let name = String(part.reversed().prefix { $0.isLetter || $0.isNumber || $0 == "_" }.reversed())
        types.formUnion(byName[name] ?? [])
      }
    }
    guard !types.isEmpty else { return (types, literals) }
    for file in texts.paths.indices {
      for line in (texts.text(file) ?? "").split(separator: "\n") where !line.contains("case ") {
        for (number, part) in line.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
        where number % 2 == 1 {
          literals.insert(String(part))
        }
      }
    }
    return (types, literals)
  }
}
