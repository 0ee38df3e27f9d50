extension Int {
  /// The number with its noun: `1 error`, `2 errors`.
  public func counted(_ noun: String) -> String {
    "\(grouped) \(noun)" + (self == 1 ? "" : "s")
  }
}
