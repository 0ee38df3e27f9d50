/// Detects that the collector, not the events, is at fault, by counting the events that were refused in a row.
///
/// At a limit, the dead letters of the run are put back and delivery pauses. After each pause the oldest event is sent
/// alone, as a probe, so that no event overtakes it. From the second pause on, if the oldest is refused, another event
/// is tried as well, because the oldest may really be invalid. Events that the format refuses need no request: they are
/// skipped without a pause until one can be sent or none is left.
struct ConsecutiveRejections: Sendable {
  /// The note that keeps the count across launches, which may each be too short to reach the limit.
  static let note = "delivery.rejectedInARow"
  private static let firstLimit = 100

  private(set) var count = 0
  /// Doubled at each pause, so that a long run of invalid events becomes dead letters in the end. 100 again when the
  /// queue is empty.
  private var limit = firstLimit
  private let highestLimit: Int
  private var noted = 0
  private var lastProbe: Int64?
  /// How many pauses ended with a probe since the last accepted event.
  private var rounds = 0
  /// Whether the next probe is not the oldest event, because that was refused in this round.
  private var isProbingElsewhere = false
  /// Why the format refused the last probe; `nil` if it was sent.
  private var formatRefusal: String?

  /// - Parameter keptDeadLetters: how many dead letters keep their bodies, and can be put back.
  init(keptDeadLetters: Int) {
    highestLimit = max(Self.firstLimit, keptDeadLetters)
  }

  /// Whether single events are sent as probes.
  private(set) var isProbing = false

  /// Whether the events after the last probe are tried without a pause, because the format refused it.
  var isPassingOver: Bool { formatRefusal != nil }

  /// The lowest sequence of the next probe; `nil` if no event can be left.
  ///
  /// - Parameter waiting: the sequences of the oldest and the newest event.
  func probeStart(in waiting: ClosedRange<Int64>?) -> Int64? {
    if isPassingOver, let lastProbe { return lastProbe < .max ? lastProbe + 1 : nil }
    guard isProbingElsewhere, let waiting else { return .min }
    // Multiples of the golden ratio cover the queue evenly (Weyl's equidistribution).
    let share = (Double(rounds) * 0.618_033_988_749_895).truncatingRemainder(dividingBy: 1)
    // Wrapping arithmetic, because a damaged row can have any sequence.
    let width = UInt64(bitPattern: waiting.upperBound &- waiting.lowerBound)
    return waiting.lowerBound &+ Int64(bitPattern: UInt64(share * Double(width)))
  }

  /// The count, if it differs from the saved one.
  var unsavedCount: Int? { count == noted ? nil : count }

  /// Restores the count of an earlier launch.
  mutating func restore(_ count: Int64?) {
    self.count = Int(clamping: max(0, count ?? 0))
    noted = self.count
    isProbing = self.count >= Self.firstLimit
    // Launches may be shorter than a pause: in each, an event other than the oldest must be tried too.
    rounds = isProbing ? 1 : 0
  }

  mutating func markSaved() {
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

  /// No event is left after the last probe. The next round starts with new events, or with the oldest.
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

  /// The queue is empty, so the limit is reset.
  mutating func queueEnded() {
    limit = Self.firstLimit
  }

  /// What to do with a refused event.
  enum Verdict: Sendable, Hashable {
    /// The event is at fault: make it a dead letter.
    case deadLetter
    /// The collector or the format is at fault: keep the event, put back the newest `putBack` dead letters, and pause,
    /// or continue with the next probe.
    case keep(putBack: Int, pauses: Bool)
  }

  /// Counts a refused event.
  ///
  /// - Parameter formatRefusal: why the format refused it; `nil` if it was sent.
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
