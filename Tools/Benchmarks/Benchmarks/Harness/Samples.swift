/// Durations of one subject in nanoseconds, sorted.
struct Samples {
  private let sorted: [Double]

  init(_ nanoseconds: [Double]) {
    sorted = nanoseconds.sorted()
  }

  var median: Double { percentile(50) }

  /// The smallest sample that at least this share of all samples does not exceed (nearest rank).
  func percentile(_ percent: Double) -> Double {
    guard !sorted.isEmpty else { return .nan }
    let rank = Int((percent / 100 * Double(sorted.count)).rounded(.up))
    return sorted[min(max(rank, 1), sorted.count) - 1]
  }
}
