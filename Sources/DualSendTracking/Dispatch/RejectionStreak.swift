/// Events that were refused one after the other, with none accepted in between.
///
/// After so many it is unlikely that the events are at fault. What the streak made dead letters is put back, delivery
/// pauses, and then one event after each pause asks whether the collector takes any. Events that the format refuses
/// cost no request: they are passed over without a pause until one can be sent, or none is left.
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
  /// Why the format refused the last probe; `nil` if a request was made for it.
  private var formatRefusal: String?

  /// - Parameter keptDeadLetters: how many dead letters keep their bodies; no more can be put back.
  init(keptDeadLetters: Int) {
    highestLimit = max(Self.firstLimit, keptDeadLetters)
  }

  /// Whether one event alone is sent, to ask.
  private(set) var isProbing = false

  /// Whether the events behind the last probe are tried without a pause, because the format refused it.
  var isPassingOver: Bool { formatRefusal != nil }

  /// From which sequence on the next probe is taken: behind the last, which may truly be bad. `nil` if none can be there.
  var probeStart: Int64? {
    guard let lastProbe else { return .min }
    return lastProbe < .max ? lastProbe + 1 : nil
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
    formatRefusal = nil
  }

  /// No event is left behind the last probe. The next round begins with what comes then, or else with the oldest event.
  ///
  /// - Returns: why the format refused the last probe; `nil` if it did not.
  mutating func roundEnded() -> String? {
    defer { formatRefusal = nil }
    return formatRefusal
  }

  /// The queue is empty: whatever was bad in it is gone.
  mutating func queueEnded() {
    limit = Self.firstLimit
  }

  /// An event was refused.
  enum Verdict: Sendable, Hashable {
    /// The event is at fault.
    case deadLetter
    /// The collector or the format is: the event is kept, and so many dead letters, the newest, have to be put back.
    case keep(putBack: Int)
  }

  /// Counts a refused event.
  ///
  /// - Parameter formatRefusal: why the format refused it; `nil` if a request was made for it.
  mutating func refused(_ sequence: Int64, byFormat formatRefusal: String? = nil) -> Verdict {
    guard isProbing || count >= limit else {
      count += 1
      return .deadLetter
    }
    // The event whose refusal began the pause is asked about first when the pause is over.
    if isProbing || formatRefusal != nil { lastProbe = sequence }
    self.formatRefusal = formatRefusal
    guard !isProbing else { return .keep(putBack: 0) }
    isProbing = true
    limit = min(2 * limit, highestLimit)
    return .keep(putBack: count)
  }
}
