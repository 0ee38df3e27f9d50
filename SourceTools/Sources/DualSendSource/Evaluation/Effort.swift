/// How much work one body of the app is worth, with all that it calls.
///
/// It grows with the body, so that a straight one is followed to its end however long it is. Loops in loops, and ways that
/// split again and again, come to the bound: then whatever stands from that statement on may log more than was seen.
struct Effort {
  static let reason = "the code around it is too entangled to be worked out"

  private static let least = 5_000
  /// What a call of some bytes takes, and the function that it calls.
  private static let perByte = 16
  private static let bytesPerStep = 16

  private var left: Int
  /// How many lists of statements the place is in.
  private var depth = 0
  private var statement = 0
  /// The first byte of the outermost statement that the work ended in; `nil` while it goes on.
  private(set) var endedAt: Int?

  init(bytes: Int = 0) {
    left = Self.least + bytes * Self.perByte
  }

  /// Whether there is work left for some steps more.
  mutating func take(_ steps: Int = 1) -> Bool {
    if endedAt != nil { return false }
    left -= steps
    if left < 0 { exhaust() }
    return endedAt == nil
  }

  /// The same for a walk over so many bytes.
  mutating func take(bytes: Int) -> Bool { take(bytes / Self.bytesPerStep + 1) }

  mutating func exhaust() {
    if endedAt == nil { endedAt = statement }
  }

  mutating func enterBlock() { depth += 1 }
  mutating func leaveBlock() { depth -= 1 }

  mutating func begin(statementAt offset: Int) {
    if depth == 1 { statement = offset }
  }
}
