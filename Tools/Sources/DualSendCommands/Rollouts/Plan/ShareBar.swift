/// A bar of one terminal line whose parts are as long as their shares.
struct ShareBar {
  /// One part of the bar.
  struct Part {
    let symbol: Character
    let count: Int
  }

  /// The bar; empty if the parts are.
  ///
  /// Each part ends at the rounded sum of all parts so far, so the bar always has exactly the width.
  static func text(_ parts: [Part], width: Int) -> String {
    let total = parts.reduce(0) { $0 + $1.count }
    guard total > 0 else { return "" }
    var text = ""
    var sum = 0
    for part in parts {
      sum += part.count
      let end = Int((Double(sum) / Double(total) * Double(width)).rounded())
      text += String(repeating: part.symbol, count: end - text.count)
    }
    return text
  }
}
