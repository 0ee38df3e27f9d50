/// Single events that the collector refused one after the other, with none accepted in between.
///
/// After so many it is unlikely that the events are at fault. Delivery pauses, what the streak made dead letters is put
/// back, and then one event after each pause asks whether the collector takes any.
struct RejectionStreak: Sendable {
  /// The note that keeps the count across launches, each of which may be too short to reach the limit.
  static let note = "delivery.rejectedInARow"
  private static let firstLimit = 100

  private(set) var count = 0
  /// Doubled with each pause, so that a long run of events that are truly bad becomes dead letters in the end; 100 again
  /// when the queue is empty.
  private var limit = firstLimit
  private let highestLimit: Int
  private var noted = 0
  private var lastProbe: Int64?

  /// - Parameter keptDeadLetters: how many dead letters keep their bodies; no more can be put back.
  init(keptDeadLetters: Int) {
    highestLimit = max(Self.firstLimit, keptDeadLetters)
  }

  /// Whether one event alone is sent, to ask.
  private(set) var isProbing = false

  /// From which sequence on the next probe is taken: behind the last, which may truly be bad.
  var probeStart: Int64 {
    guard let lastProbe, lastProbe < .max else { return .min }
    return lastProbe + 1
  }

  /// The count if it is not noted as it stands.
  var countToNote: Int? { count == noted ? nil : count }

  /// What an earlier launch noted.
  mutating func restore(_ count: Int64?) {
    self.count = Int(clamping: max(0, count ?? 0))
    noted = self.count
    isProbing = self.count >= Self.firstLimit
  }

  mutating func wasNoted() {
    noted = count
  }

  /// An event was accepted.
  mutating func ended() {
    count = 0
    isProbing = false
    lastProbe = nil
  }

  /// The queue is empty: whatever was bad in it is gone.
  mutating func queueEnded() {
    limit = Self.firstLimit
  }

  /// A single event was refused.
  enum Verdict: Sendable, Hashable {
    /// The event is at fault.
    case deadLetter
    /// The collector is; so many dead letters, the newest, have to be put back.
    case pause(putBack: Int)
  }

  mutating func refused(_ sequence: Int64) -> Verdict {
    if isProbing {
      lastProbe = sequence
      return .pause(putBack: 0)
    }
    guard count >= limit else {
      count += 1
      return .deadLetter
    }
    isProbing = true
    limit = min(2 * limit, highestLimit)
    return .pause(putBack: count)
  }
}
