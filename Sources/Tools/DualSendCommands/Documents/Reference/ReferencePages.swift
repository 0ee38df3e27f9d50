package import DualSendCore
import Foundation

/// The glossary and the diagnostic codes, as the articles Concepts and Diagnostics have them.
package enum ReferencePages {
  /// The words and their meanings, in order, and the codes with their meaning and way out.
  package static let json: EventValue = [
    "words": .array(
      rows(of: PackageResources.Concepts_md, columns: 2).map { ["word": .string($0[0]), "meaning": .string($0[1])] }),
    "codes": .array(
      rows(of: PackageResources.Diagnostics_md, columns: 3).map {
        // A warning has a W beside its code.
        ["code": .string(String($0[0].prefix { $0 != " " })), "meaning": .string($0[1]), "wayOut": .string($0[2])]
      }),
  ]

  /// The rows of the article's tables with this number of columns, without their heads.
  private static func rows(of article: [UInt8], columns: Int) -> [[String]] {
    var rows: [[String]] = []
    for line in String(decoding: article, as: UTF8.self).split(separator: "\n") where line.hasPrefix("|") {
      let cells = line.dropFirst().split(separator: "|").map { plain(String($0)) }
      guard cells.count == columns else { continue }
      // The line below a head.
      if cells.allSatisfy({ $0.allSatisfy { $0 == "-" } }) { rows.removeLast() } else { rows.append(cells) }
    }
    return rows
  }

  /// A cell without links and emphasis; code keeps its backticks.
  private static func plain(_ cell: String) -> String {
    cell.replacing(/<doc:([A-Za-z]+)>/) { "the article \($0.1)" }
      .replacing(/\[([^\]]+)\]\([^)]+\)/) { String($0.1) }
      .replacing(/`[^`]*`|\*([^*]+)\*/) { String($0.1 ?? $0.0) }
      .trimmingCharacters(in: .whitespaces)
  }
}
