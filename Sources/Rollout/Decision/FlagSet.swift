/// Some of the flags that rules decide: those of one document, or of two that are compared.
struct FlagSet: OptionSet, Hashable, Sendable {
  let rawValue: UInt8

  static let oldLogger = FlagSet(rawValue: 1)
  static let newTracker = FlagSet(rawValue: 2)
  static let both: FlagSet = [.oldLogger, .newTracker]
}
