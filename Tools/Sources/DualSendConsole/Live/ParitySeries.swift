import DualSendCore

/// How parity went over time, in a bounded number of points.
struct ParitySeries: Sendable {
  /// The counts at one time.
  struct Point: Sendable, Hashable {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    let time: Int64
    let pairs: Int
    /// How many of them differ beyond noise.
    let differing: Int
    /// How many events were judged, and how many of them failed beyond noise: what the bound is worked out from.
    let judged: Int
    let failing: Int
  }

  private static let maximumPoints = 720

  private(set) var points: [Point] = []
  private var interval: Int64 = 1000

  /// Adds a point unless the last one is as good. Once there are too many, every second one goes, and fewer are added.
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
