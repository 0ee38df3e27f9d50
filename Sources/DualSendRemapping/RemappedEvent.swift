public import DualSendCore

/// An event after remapping, with counts of clashes and failed conversions.
public struct RemappedEvent: Sendable, Hashable {
  /// The new name.
  public var name: String
  /// The new payload.
  public var payload: [String: EventValue] = [:]
  /// The number of rows and constants that wrote to a path with a value that no row names. The table's policy decided which
  /// value was kept.
  public var clashes = 0
  /// The number of values that could not be converted. They were kept, or replaced by the row's default.
  public var conversionFailures = 0
  /// The number of lossy conversions, which dropped a fraction or digits that a double cannot represent.
  public var lossyConversions = 0
  /// The old paths that no row names, sorted; empty unless the table says `"unmapped": "report"` for this event.
  public var unmapped: [EventPath] = []

  /// Compares texts and keys by their UTF-8 bytes.
  public static func == (left: RemappedEvent, right: RemappedEvent) -> Bool {
    left.name.isExactly(right.name) && left.payload.hasExactly(right.payload) && left.unmapped == right.unmapped
      && (left.clashes, left.conversionFailures, left.lossyConversions)
        == (right.clashes, right.conversionFailures, right.lossyConversions)
  }
}
