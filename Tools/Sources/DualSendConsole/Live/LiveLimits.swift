/// How much of the live events is kept.
package struct LiveLimits: Sendable, Hashable {
  /// The most entries whose other side is missing, and the most others.
  package var entries = 100_000
  /// The most events that left the entries, of which only id and place are kept.
  package var departed = 250_000
  /// The longest payload of one side, in bytes of JSON; of a longer one only its event is kept.
  package var payloadBytes = 64 << 10
  /// The most bytes of all payloads; the oldest ones make room.
  package var allPayloadBytes = 48 << 20
  /// How long the other side of an event may take to come.
  package var lostAfter = Duration.seconds(60)

  package init() {}
}
