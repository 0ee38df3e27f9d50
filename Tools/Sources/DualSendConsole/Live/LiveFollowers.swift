/// The pages that follow the live events. Each is only notified of changes, and fetches them at its own pace.
struct LiveFollowers: Sendable {
  let limit: Int
  private var signals: [Int: AsyncStream<Void>.Continuation] = [:]
  private var lastNumber = 0

  init(limit: Int) {
    self.limit = limit
  }

  var count: Int { signals.count }
  /// The number of additional followers allowed.
  var free: Int { max(0, limit - signals.count) }

  /// Adds a follower; `nil` if the limit is reached.
  mutating func open() -> (number: Int, news: AsyncStream<Void>)? {
    guard free > 0 else { return nil }
    let (news, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    lastNumber += 1
    signals[lastNumber] = signal
    return (lastNumber, news)
  }

  mutating func close(_ number: Int) {
    signals.removeValue(forKey: number)?.finish()
  }

  mutating func closeAll() {
    for signal in signals.values { signal.finish() }
    signals = [:]
  }

  func notify() {
    for signal in signals.values { signal.yield() }
  }
}
