public import DualSendCore

/// An event after remapping, and what could not be done as the table says.
public struct RemappedEvent: Sendable, Hashable {
  /// The new name.
  public var name: String
  /// The new payload.
  public var payload: [String: EventValue] = [:]
  /// How often a row or constant met a value in its place that no row names; the table's policy chose which one stays.
  public var clashes = 0
  /// How many values could not be converted: kept as they were, or replaced by the row's default.
  public var conversionFailures = 0
  /// How many values lost something in conversion: a fraction, or digits that a double cannot hold.
  public var lossyConversions = 0
  /// The old paths that no row names, sorted; empty unless the table says `"unmapped": "report"` for this event.
  public var unmapped: [EventPath] = []

  /// Whether both are the same; texts and keys are if their UTF-8 bytes are.
  public static func == (left: RemappedEvent, right: RemappedEvent) -> Bool {
    left.name.isExactly(right.name) && left.payload.hasExactly(right.payload) && left.unmapped == right.unmapped
      && (left.clashes, left.conversionFailures, left.lossyConversions)
        == (right.clashes, right.conversionFailures, right.lossyConversions)
  }
}
