extension EventValue {
  /// Why one value was left out, and where it stood.
  public struct ConversionIssue: Sendable, Hashable {
    /// The kind of fault.
    public enum Reason: Sendable, Hashable {
      /// NaN or an infinity.
      case nonFiniteNumber
      /// An integer that neither `Int64` nor `UInt64` holds.
      case integerOutOfRange
      /// A date outside of the years 0000 to 9999, which RFC 3339 cannot write.
      case dateOutOfRange
      /// A type that has no JSON form; the associated value is the type's name.
      case unsupportedType(String)
      /// An `Encodable` value that threw while it was encoded; the associated value is its type's name.
      case encodingFailed(String)
      /// A dictionary whose keys are not strings.
      case nonStringKeys
      /// Containers nested deeper than ``EventValueConverter/maximumDepth``.
      case tooDeep
    }

    /// Where the value stood in the payload.
    public let path: EventPath
    /// Why it was left out.
    public let reason: Reason

    package init(path: EventPath, reason: Reason) {
      self.path = path
      self.reason = reason
    }
  }
}
