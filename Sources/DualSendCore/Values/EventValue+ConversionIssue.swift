extension EventValue {
  /// Why one value was left out, and where it stood.
  public struct ConversionIssue: Sendable, Hashable {
    /// The kind of fault.
    public enum Reason: Sendable, Hashable {
      /// NaN or an infinity.
      case nonFiniteNumber
      /// An unsigned integer above `Int64.max`.
      case integerOutOfRange
      /// A type that has no JSON form; the associated value is the type's name.
      case unsupportedType(String)
      /// A dictionary whose keys are not strings.
      case nonStringKeys
      /// Containers nested deeper than ``EventValueConverter/maximumDepth``.
      case tooDeep
    }

    /// Where the value stood in the payload.
    public let path: EventPath
    /// Why it was left out.
    public let reason: Reason
  }
}
