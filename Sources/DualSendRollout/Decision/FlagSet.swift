/// A set of flags that rules decide: the two flags and one sink's share, of one document or of two that are compared.
public struct FlagSet: OptionSet, Hashable, Sendable {
  /// One bit for each flag.
  public let rawValue: UInt8

  /// Creates a set from its bits.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// `shouldSendLogToOldLogger`.
  public static let oldLogger = FlagSet(rawValue: 1)
  /// `shouldSendLogToNewTracker`.
  public static let newTracker = FlagSet(rawValue: 2)
  /// The share of the named sink under examination.
  public static let sink = FlagSet(rawValue: 4)
  /// Both flags of one document.
  public static let both: FlagSet = [.oldLogger, .newTracker]
}
