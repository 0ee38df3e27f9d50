import DualSendCore

/// Parity over time, in a bounded number of points.
struct ParitySeries: Sendable {
  /// The counts at one time.
  struct Point: Sendable, Hashable {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    let time: Int64
    let pairs: Int
    /// The pairs that differ beyond noise.
    let differing: Int
    /// The events that were judged, and those that failed beyond noise: the input of the bound.
    let judged: Int
    let failing: Int
  }

  private static let maximumPoints = 720

  private(set) var points: [Point] = []
  private var interval: Int64 = 1000

  /// Adds a point if the interval has passed and the counts changed. At the limit, drops every second point and doubles
  /// the interval.
  mutating func add(_ point: Point) {
    if let last = points.last {
      guard point.time - last.time >= interval, (point.judged, point.pairs) != (last.judged, last.pairs) else { return }
    }
    points.append(point)
    guard points.count > Self.maximumPoints else { return }
    points = points.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
    interval *= 2
  }
}
