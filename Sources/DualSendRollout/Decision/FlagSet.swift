/// Some of what rules decide: the flags of one document and the share of one sink, or those of two that are compared.
public struct FlagSet: OptionSet, Hashable, Sendable {
  /// One bit a flag.
  public let rawValue: UInt8

  /// Takes the bits.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// `shouldSendLogToOldLogger`.
  public static let oldLogger = FlagSet(rawValue: 1)
  /// `shouldSendLogToNewTracker`.
  public static let newTracker = FlagSet(rawValue: 2)
  /// The share of the one named sink that is looked at.
  public static let sink = FlagSet(rawValue: 4)
  /// Both flags of one document.
  public static let both: FlagSet = [.oldLogger, .newTracker]
}
