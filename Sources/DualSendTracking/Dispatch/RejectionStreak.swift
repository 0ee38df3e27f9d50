/// Events that were refused one after the other, with none accepted in between.
///
/// After so many it is unlikely that the events are at fault. What the streak made dead letters is put back where it
/// was, and delivery pauses. After each pause the oldest event asks whether the collector takes any, so that nothing
/// overtakes it where the collector was at fault. From the second pause on, another one asks as well if the oldest is
/// refused, because that may truly be bad. Events that the format refuses cost no request: they are passed over
/// without a pause until one can be sent, or none is left.
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
  /// How many pauses ended with a probe since the last event was taken.
  private var rounds = 0
  /// Whether the next probe is one from among the others, because the oldest was refused in this round.
  private var isProbingElsewhere = false
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

  /// From which sequence on the next probe is taken; `nil` if none can be there.
  ///
  /// - Parameter waiting: the sequences of the oldest and the newest event.
  func probeStart(in waiting: ClosedRange<Int64>?) -> Int64? {
    if isPassingOver, let lastProbe { return lastProbe < .max ? lastProbe + 1 : nil }
    guard isProbingElsewhere, let waiting else { return .min }
    // Multiples of the golden ratio leave no part of the row out for long (Weyl's equidistribution).
    let share = (Double(rounds) * 0.618_033_988_749_895).truncatingRemainder(dividingBy: 1)
    // Wraps, because a damaged row can have any sequence.
    let width = UInt64(bitPattern: waiting.upperBound &- waiting.lowerBound)
    return waiting.lowerBound &+ Int64(bitPattern: UInt64(share * Double(width)))
  }

  /// The count if it is not noted as it stands.
  var countToNote: Int? { count == noted ? nil : count }

  /// What an earlier launch noted.
  mutating func restore(_ count: Int64?) {
    self.count = Int(clamping: max(0, count ?? 0))
    noted = self.count
    isProbing = self.count >= Self.firstLimit
    // Launches may be shorter than a pause: the oldest alone must not stand for all in each of them.
    rounds = isProbing ? 1 : 0
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
    rounds = 0
    isProbingElsewhere = false
  }

  /// No event is left behind the last probe. The next round begins with what comes then, or else with the oldest event.
  ///
  /// - Returns: why the format refused the last probe; `nil` if it did not.
  mutating func roundEnded() -> String? {
    defer {
      formatRefusal = nil
      beginRound()
    }
    return formatRefusal
  }

  private mutating func beginRound() {
    rounds += 1
    isProbingElsewhere = false
  }

  /// The queue is empty: whatever was bad in it is gone.
  mutating func queueEnded() {
    limit = Self.firstLimit
  }

  /// An event was refused.
  enum Verdict: Sendable, Hashable {
    /// The event is at fault.
    case deadLetter
    /// The collector or the format is: the event is kept, so many dead letters, the newest, have to be put back, and
    /// delivery pauses, or goes on with the next probe.
    case keep(putBack: Int, pauses: Bool)
  }

  /// Counts a refused event.
  ///
  /// - Parameter formatRefusal: why the format refused it; `nil` if a request was made for it.
  mutating func refused(_ sequence: Int64, byFormat formatRefusal: String? = nil) -> Verdict {
    guard isProbing || count >= limit else {
      count += 1
      return .deadLetter
    }
    if isProbing || formatRefusal != nil { lastProbe = sequence }
    self.formatRefusal = formatRefusal
    guard isProbing else {
      isProbing = true
      limit = min(2 * limit, highestLimit)
      return .keep(putBack: count, pauses: formatRefusal == nil)
    }
    guard formatRefusal == nil else { return .keep(putBack: 0, pauses: false) }
    if rounds > 0, !isProbingElsewhere {
      isProbingElsewhere = true
      return .keep(putBack: 0, pauses: false)
    }
    beginRound()
    return .keep(putBack: 0, pauses: true)
  }
}
