import DualSendCore
package import DualSendParity

/// A bounded sample of pairs for each event: four of five for learning, the fifth held out.
package struct PairSample: Sendable {
  /// One pair, normalised to its JSON form.
  package struct Pair: Sendable {
    let old: [String: EventValue]
    let newName: String
    let new: [String: EventValue]
  }

  /// The pairs with one old name.
  struct Event: Sendable {
    var learned: [Pair] = []
    var heldOut: [Pair] = []
    /// The number of pairs, kept or not.
    var seen = 0
  }

  /// The most events. Further names are considered data.
  package static let maximumEvents = 10_000
  /// The most bytes of all kept pairs.
  package static let maximumBytes = 128 << 20

  private let pairsPerEvent: Int
  private var keptBytes = 0
  private(set) var events: [ExactText: Event] = [:]
  /// The number of pairs beyond ``maximumEvents``.
  package private(set) var pairsOfOtherEvents = 0

  package init(pairsPerEvent: Int = 500) {
    self.pairsPerEvent = pairsPerEvent
  }

  /// The number of pairs for learning, and of held-out pairs.
  package var size: (learned: Int, heldOut: Int) {
    (events.values.reduce(0) { $0 + $1.learned.count }, events.values.reduce(0) { $0 + $1.heldOut.count })
  }

  package mutating func add(_ pair: StreamPairs.Pair) {
    let name = ExactText(pair.oldName)
    if events[name] == nil, events.count >= Self.maximumEvents {
      pairsOfOtherEvents += 1
      return
    }
    let seen = events[name]?.seen ?? 0
    events[name, default: Event()].seen += 1
    guard seen < pairsPerEvent, keptBytes < Self.maximumBytes else { return }
    keptBytes += pair.byteCount
    let kept = Pair(
      old: pair.old.mapValues(\.asWritten), newName: pair.newName, new: pair.new.mapValues(\.asWritten))
    if seen % 5 == 4 {
      events[name]?.heldOut.append(kept)
    } else {
      events[name]?.learned.append(kept)
    }
  }
}

extension EventValue {
  /// The value in its JSON form: `1.0` becomes an integer, a date a text.
  var asWritten: EventValue {
    switch self {
    case .double(let number):
      number.magnitude <= 0x1p53 ? Int64(exactly: number).map { .int($0) } ?? self : self
    case .date: .string(String(canonicalText.dropFirst().dropLast()))
    case .array(let elements): .array(elements.map(\.asWritten))
    case .object(let members): .object(members.mapValues(\.asWritten))
    case .null, .bool, .int, .uint, .string: self
    }
  }

  var isContainer: Bool {
    switch self {
    case .array, .object: true
    default: false
    }
  }
}
