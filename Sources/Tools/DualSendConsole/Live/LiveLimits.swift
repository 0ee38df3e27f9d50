/// The limits of the live events.
struct LiveLimits: Sendable, Hashable {
  /// The largest number of entries whose other side is missing, and of other entries.
  var entries = 100_000
  /// The largest number of evicted events whose ids are kept.
  var evicted = 250_000
  /// The largest payload of one side in memory, in bytes of JSON; a larger one is kept on disk.
  var payloadBytes = 64 << 10
  /// The memory of all payloads in bytes; the oldest ones are moved to disk.
  var allPayloadBytes = 48 << 20
  /// The largest size of the payloads on disk; the oldest ones are lost, and their pairs not compared again.
  var diskBytes = 4 << 30
  /// The time to wait for the other side of an event.
  var lostAfter = Duration.seconds(60)
  /// The largest number of pages that follow the events; further ones are refused.
  var streams = 16
}
