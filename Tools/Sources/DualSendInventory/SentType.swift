/// The type of a value that a call site sends, as remapping tables call types.
public enum SentType: String, Sendable, Hashable, CaseIterable {
  case string, int, double, bool, date, null, array, object
  /// The type could not be found.
  case unknown
}

extension SentType: Comparable {
  /// Orders by name.
  public static func < (left: SentType, right: SentType) -> Bool {
    left.rawValue < right.rawValue
  }
}
