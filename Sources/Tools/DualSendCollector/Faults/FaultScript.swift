import DualSendCore

/// An ordered list of faults. The first one that affects a request applies.
struct FaultScript: Sendable {
  /// The properties of a request that faults use.
  struct Request {
    /// The length of the body as received.
    let byteCount: Int
    /// The readable events.
    let events: [TrackingEvent]
  }

  private var faults: [CollectorFault]
  /// The number of requests that reached each fault.
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

  /// The fault for this request, if any. A request that a fault cannot affect does not count for it.
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
