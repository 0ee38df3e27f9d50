import DualSendCore
import DualSendRemapping

/// What a cell of a spreadsheet is, where it is no name: an error, a formula, a word for nothing, several names, or what the
/// spreadsheet made of a name.
///
/// A cell that is a JSON string is the name in it, whatever it is.
enum SheetCell {
  /// Words that a sheet has in place of a name or of a value.
  private static let nothing: Set<String> = [
    "-", "--", "---", "\u{2013}", "\u{2014}", "n/a", "n.a.", "na", "#", "?", "??", "???", "tbd", "tba", "tbc", "todo",
    "none", "null",
    "nil", "\u{3003}",
  ]
  /// Words that a sheet has in place of a new name. An old name may be one of them.
  private static let instead: Set<String> = [
    "same", "same as old", "unchanged", "as is", "keep", "idem", "ditto", "deprecated", "obsolete", "retired",
    "removed", "remove",
    "deleted", "delete", "drop", "dropped", "ignore", "ignored", "yes", "no", "ok",
  ]
  private static let sums: Set<String> = ["total", "totals", "sum", "subtotal", "count", "gesamt", "summe", "somme"]
  private static let remarks: Set<String> = [
    "old", "new", "deprecated", "removed", "remove", "obsolete", "optional", "tbd", "ios", "android", "web", "legacy",
  ]
  /// What a spreadsheet makes of `true` and `false`, also in other languages.
  private static let booleans: Set<String> = [
    "TRUE", "FALSE", "WAHR", "FALSCH", "VRAI", "FAUX", "VERDADERO", "FALSO", "VERO", "WAAR", "ONWAAR",
  ]
  private static let months: Set<String> = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec", "m\u{E4}r", "mai", "okt", "dez",
  ]

  /// Whether the line of an event without new names is a sum.
  static func isSum(_ event: String) -> Bool {
    sums.contains(event.prefix { $0 != ":" && $0 != " " }.lowercased())
  }

  /// Why a cell is no name; `nil` if it is one.
  ///
  /// - Parameter isNew: whether it should be a new name.
  static func fault(ofName text: String, isNew: Bool) -> String? {
    if let fault = fault(of: text) { return fault }
    if text.hasPrefix("'") { return "is a number or a boolean" }
    let lower = text.lowercased()
    let inner = lower.trimmingParentheses
    if isNew, instead.contains(lower) || inner != lower && instead.contains(inner) || nothing.contains(inner) {
      return "is a word in place of a name"
    }
    if text.contains("~~") { return "is crossed out" }
    let separators = [", ", ",", ";", "\n", "\r", "\t", "|", " / ", "->", "\u{2192}"]
    if let separator = separators.first(where: { text.contains($0) }) {
      return separator == "\n" || separator == "\r" ? "has a line break: several names?" : "looks like several names"
    }
    if lower.last == ")", let open = lower.lastIndex(of: "("),
      remarks.contains(lower[open...].lowercased().trimmingParentheses)
    {
      return "has a remark in it"
    }
    return nil
  }

  /// Why a cell is neither a name nor a text; `nil` if it may be one.
  static func fault(of text: String) -> String? {
    if let scalar = text.unicodeScalars.first(where: isInvisible) {
      return "has the invisible character U+" + String(scalar.value, radix: 16, uppercase: true)
    }
    if isError(text) { return "is a spreadsheet's error" }
    if let first = text.unicodeScalars.first, "=+-@".unicodeScalars.contains(first), text.unicodeScalars.count > 1,
      !nothing.contains(text.lowercased())
    {
      return "looks like a formula"
    }
    if nothing.contains(text.lowercased()) { return "is a word for nothing" }
    if booleans.contains(text) { return "is a spreadsheet's form of a boolean" }
    if isDate(text) { return "is a date, which a spreadsheet may have made of something else" }
    return nil
  }

  /// Whether a spreadsheet would write a text in another form when it saves it, such as `007`, `1.50`, `true` or `1-2`.
  static func isChanged(bySpreadsheet text: String) -> Bool {
    let isNumber = text.contains(where: \.isNumber) && text.allSatisfy { $0.isNumber || ".,/-:+eE% ".contains($0) }
    return isNumber || text.hasPrefix("'") || ["true", "false"].contains(text.lowercased()) || fault(of: text) != nil
  }

  private static func isInvisible(_ scalar: UnicodeScalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control: !"\n\r\t".unicodeScalars.contains(scalar)
    case .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate: true
    case .spaceSeparator: scalar != " "
    default: false
    }
  }

  /// `#REF!`, `#N/A`, `#NAME?`, or LibreOffice's `Err:502`.
  private static func isError(_ text: String) -> Bool {
    if text.hasPrefix("Err:") { return text.dropFirst(4).allSatisfy(\.isNumber) }
    guard text.hasPrefix("#"), let last = text.last else { return false }
    return text == "#N/A"
      || "!?".contains(last) && text.dropFirst().dropLast().allSatisfy { $0.isUppercase || "/0".contains($0) }
  }

  /// `1-Mar`, `Mar-01`, `2026-05-01`, `1.5.2026`, `5/1/26`; and `1.0`, `1e3`, `1,5`, which are numbers of the same origin.
  private static func isDate(_ text: String) -> Bool {
    let parts = text.split(omittingEmptySubsequences: false) { "-./, ".contains($0) }
    let isNumber: (Substring) -> Bool = { !$0.isEmpty && $0.allSatisfy { ("0"..."9").contains($0) } }
    if parts.count == 2 || parts.count == 3, parts.allSatisfy({ isNumber($0) || months.contains($0.lowercased()) }),
      parts.contains(where: isNumber)
    {
      return true
    }
    let halves = text.lowercased().split(separator: "e", omittingEmptySubsequences: false)
    return halves.count == 2 && halves[0].allSatisfy { $0.isNumber || $0 == "." } && !halves[0].isEmpty
      && isNumber(halves[1].drop { "+-".contains($0) })
  }
}

extension String {
  fileprivate var trimmingParentheses: String {
    guard let first, let last, "([<".contains(first), ")]>".contains(last) else { return self }
    return String(dropFirst().dropLast())
  }
}
