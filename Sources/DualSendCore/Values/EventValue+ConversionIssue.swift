extension EventValue {
  /// A value that was left out of an event, and why.
  public struct ConversionIssue: Sendable, Hashable {
    /// The kind of fault.
    public enum Reason: Sendable, Hashable {
      /// NaN or an infinity.
      case nonFiniteNumber
      /// An integer beyond both `Int64` and `UInt64`.
      case integerOutOfRange
      /// A date outside the years 0000 to 9999, which RFC 3339 cannot represent.
      case dateOutOfRange
      /// A type without a JSON form. The associated value is the type's name.
      case unsupportedType(String)
      /// An `Encodable` value whose encoding threw. The associated value is its type's name.
      case encodingFailed(String)
      /// A dictionary whose keys are not strings.
      case nonStringKeys
      /// Containers nested deeper than ``EventValueConverter/maximumDepth``.
      case tooDeep
    }

    /// The value's place in the payload.
    public let path: EventPath
    /// Why it was left out.
    public let reason: Reason

    package init(path: EventPath, reason: Reason) {
      self.path = path
      self.reason = reason
    }
  }
}
