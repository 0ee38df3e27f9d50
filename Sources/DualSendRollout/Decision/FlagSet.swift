/// Some of the flags that rules decide: those of one document, or of two that are compared.
@_spi(Tools) public struct FlagSet: OptionSet, Hashable, Sendable {
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
  /// Both flags of one document.
  public static let both: FlagSet = [.oldLogger, .newTracker]
}
