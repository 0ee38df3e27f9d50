/// The largest share of an event that may fail parity, exact to a millionth.
package struct MismatchLimit: Sendable, Hashable {
  /// Parts in a million, 0…1,000,000.
  package let partsPerMillion: Int

  /// None that is seen may fail. No number of pairs shows that none ever does, so this asks for no evidence.
  package static let none = MismatchLimit(unchecked: 0)
  /// One of a thousand.
  package static let perMille = MismatchLimit(unchecked: 1000)

  /// Reads `0.1%`, or `0.001` without the sign; `nil` outside 0…100 % or with digits finer than a millionth.
  package init?(_ text: some StringProtocol) {
    let isPercentage = text.hasSuffix("%")
    let parts = text.dropLast(isPercentage ? 1 : 0).split(separator: ".", omittingEmptySubsequences: false)
    let places = isPercentage ? 4 : 6
    guard let whole = parts.first, parts.count <= 2, !whole.isEmpty, whole.count <= 3 else { return nil }
    let fraction = parts.count == 2 ? String(parts[1]) : "0"
    guard (1...places).contains(fraction.utf8.count), (whole + fraction).utf8.allSatisfy({ (48...57).contains($0) }),
      let parts = Int(whole + fraction + String(repeating: "0", count: places - fraction.utf8.count)),
      parts <= 1_000_000
    else { return nil }
    partsPerMillion = parts
  }

  private init(unchecked partsPerMillion: Int) {
    self.partsPerMillion = partsPerMillion
  }

  /// The limit as a fraction of 1.
  package var fraction: Double { Double(partsPerMillion) / 1_000_000 }

  /// Whether `part` of `whole` is more than this limit.
  func isExceeded(by part: Int, of whole: Int) -> Bool {
    // Both products in full width: counts near Int.max must not wrap into a pass.
    let left = part.multipliedFullWidth(by: 1_000_000)
    let right = whole.multipliedFullWidth(by: partsPerMillion)
    return (left.high, left.low) > (right.high, right.low)
  }
}

extension MismatchLimit: CustomStringConvertible {
  /// The limit as a percentage: `0.1 %`.
  package var description: String {
    let fraction = String(String(10_000 + partsPerMillion % 10_000).dropFirst())
    let digits = fraction.replacing(/0+$/, with: "")
    return "\(partsPerMillion / 10_000)" + (digits.isEmpty ? "" : "." + digits) + " %"
  }
}
