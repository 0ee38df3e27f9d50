extension BinaryInteger {
  /// The number with a comma between groups of three digits, in every locale.
  public var grouped: String {
    let digits = String(magnitude)
    var text = self < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
      text.append(digit)
    }
    return text
  }

  /// The number with its noun: `1 error`, `2 errors`.
  public func counted(_ noun: String) -> String {
    "\(grouped) \(noun)" + (self == 1 ? "" : "s")
  }
}
