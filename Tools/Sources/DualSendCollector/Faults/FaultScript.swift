import DualSendCore

/// Faults in the order in which they are asked; the first one that strikes a request decides its answer.
struct FaultScript: Sendable {
  /// What a fault may know of a request.
  struct Request {
    /// The length of the body as it came over the wire.
    let byteCount: Int
    /// The events, as far as they could be read.
    let events: [TrackingEvent]
  }

  private var faults: [CollectorFault]
  /// How many requests have reached the fault of the same index.
  private var reached: [Int]
  private var random: SplitMix64

  init(_ faults: [CollectorFault], seed: UInt64) {
    self.faults = faults
    reached = Array(repeating: 0, count: faults.count)
    random = SplitMix64(seed: seed)
  }

  var readsEvents: Bool {
    faults.contains(where: \.readsEvents)
  }

  /// The fault that strikes this request, if any. A fault whose effect has nothing to act on is not reached.
  mutating func strike(_ request: Request) -> CollectorFault? {
    for index in faults.indices where Self.concerns(faults[index].effect, request) {
      reached[index] += 1
      let strikes =
        switch faults[index].trigger {
        case .always: true
        case .next(let count): reached[index] <= count
        case .every(let count): reached[index].isMultiple(of: count)
        case .random(let probability): random.fraction() < probability
        }
      if strikes { return faults[index] }
    }
    return nil
  }

  private static func concerns(_ effect: CollectorFault.Effect, _ request: Request) -> Bool {
    switch effect {
    case .reject(let selector), .poison(let selector, _): request.events.contains(where: selector.selects)
    case .limit(let bytes): request.byteCount > bytes
    default: true
    }
  }
}
