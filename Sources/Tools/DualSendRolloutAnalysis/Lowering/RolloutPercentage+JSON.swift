package import DualSendRollout

extension RolloutPercentage {
  /// The percentage with the fewest decimals.
  package var jsonNumber: String {
    let (whole, fraction) = thousandths.quotientAndRemainder(dividingBy: 1000)
    guard fraction > 0 else { return "\(whole)" }
    return "\(whole)." + String(String(1000 + fraction).dropFirst()).replacing(/0+$/, with: "")
  }
}
