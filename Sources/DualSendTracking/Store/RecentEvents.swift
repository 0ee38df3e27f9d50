import DualSendCore

/// A cache of the newest pending events, so that events that are delivered soon are not read from disk.
///
/// Their sequences have no gaps and end with the store's last event. Any change other than delivery in order clears the
/// cache; it fills again from the next commit.
struct RecentEvents: Sendable {
  /// The approximate memory limit, in bytes.
  private static let maximumBytes = 4 << 20
  /// The approximate size of an event without its body, in bytes.
  private static let overhead = 200

  private var events: [TrackingData] = []
  /// The index of the first pending event in ``events``.
  private var start = 0
  private var bytes = 0
  /// Whether the store holds no older events.
  private var areAll = false

  private var firstSequence: Int64? { start < events.count ? events[start].sequence : nil }

  /// Events were committed.
  ///
  /// - Parameter waiting: how many events are pending in the store now.
  mutating func committed(_ added: [TrackingData], waiting: Int64) {
    let addedBytes = added.reduce(0) { $0 + Self.size(of: $1) }
    if bytes + addedBytes > Self.maximumBytes { forget() }
    guard addedBytes <= Self.maximumBytes else { return }
    bytes += addedBytes
    events += added
    areAll = waiting == events.count - start
  }

  /// Events were delivered and deleted.
  mutating func delivered(_ delivered: [TrackingData]) {
    guard let waiting = firstSequence, let first = delivered.first?.sequence, let last = delivered.last?.sequence,
      last >= waiting
    else { return }
    // Without gaps, the delivered events are exactly those up to the last one.
    guard first <= waiting, last - first == Int64(delivered.count - 1) else { return forget() }
    let end = min(events.count, start + Int(clamping: min(last - waiting, Int64(events.count))) + 1)
    for event in events[start..<end] { bytes -= Self.size(of: event) }
    start = end
    if start * 2 > events.count {
      events.removeFirst(start)
      start = 0
    }
  }

  mutating func forget() {
    self = RecentEvents()
  }

  /// See ``TrackingDataStore/batch(from:maximumEvents:maximumBytes:)``. `nil` if the events must be read from the
  /// store.
  func batch(from sequence: Int64, maximumEvents: Int, maximumBytes: Int) -> [TrackingData]? {
    guard let first = firstSequence, let last = events.last?.sequence, sequence <= last, areAll || sequence >= first
    else { return nil }
    let skipped = sequence > first ? Int(clamping: sequence - first) : 0
    let waiting = events[(start + skipped)...].prefix(max(1, maximumEvents))
    var bytes = 0
    let fitting = waiting.prefix { event in
      bytes += event.bodyCount
      return bytes <= maximumBytes
    }
    return Array(fitting.isEmpty ? waiting.prefix(1) : fitting)
  }

  private static func size(of event: TrackingData) -> Int {
    event.heldBytes + overhead
  }
}
