/// How much of the live events is kept.
struct LiveLimits: Sendable, Hashable {
  /// The most entries whose other side is missing, and the most others.
  var entries = 100_000
  /// The most events that left the entries, of which only id and place are kept.
  var departed = 250_000
  /// The longest payload of one side, in bytes of JSON; of a longer one only its event is kept.
  var payloadBytes = 64 << 10
  /// The most bytes of all payloads; the oldest ones make room.
  var allPayloadBytes = 48 << 20
  /// How long the other side of an event may take to come.
  var lostAfter = Duration.seconds(60)
  /// How many pages can follow the events at once; further ones are refused.
  var streams = 16

  init() {}
}
