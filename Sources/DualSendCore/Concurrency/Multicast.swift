/// Sends each value to any number of streams.
///
/// Safe to use from any thread. Each stream receives the values of one thread in order. A stream is removed when its
/// reader goes away; all streams end when the multicast is released.
package final class Multicast<Element: Sendable>: Sendable {
  private struct State: Sendable {
    /// The first value of a new stream.
    var latest: Element?
    var streams: [Int: AsyncStream<Element>.Continuation] = [:]
    var nextID = 0
  }

  private let bufferSize: Int
  private let replaysLatest: Bool
  private let state: Locked<State>

  /// Creates a multicast whose streams start with the next value.
  ///
  /// - Parameter bufferSize: how many unread values a stream keeps. The oldest are discarded first.
  package init(bufferSize: Int) {
    self.bufferSize = bufferSize
    replaysLatest = false
    state = Locked(State())
  }

  /// Creates a multicast whose streams start with the current value.
  ///
  /// - Parameter bufferSize: how many unread values a stream keeps. The oldest are discarded first.
  package init(current: Element, bufferSize: Int = 1) {
    self.bufferSize = bufferSize
    replaysLatest = true
    state = Locked(State(latest: current))
  }

  deinit {
    for stream in state.current.streams.values { stream.finish() }
  }

  /// Whether there are any streams.
  package var hasListeners: Bool {
    state.withLock { !$0.streams.isEmpty }
  }

  /// A new stream.
  package func stream() -> AsyncStream<Element> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Element.self, bufferingPolicy: .bufferingNewest(bufferSize))
    let id = state.withLock { state in
      state.nextID += 1
      state.streams[state.nextID] = continuation
      // Under the lock, so that no newer value comes first. The stream has no reader yet, so this does not call out.
      if let latest = state.latest { continuation.yield(latest) }
      return state.nextID
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { _ = $0.streams.removeValue(forKey: id) }
    }
    return stream
  }

  /// Sends a value to every stream, after releasing the lock.
  package func send(_ element: Element) {
    let streams = state.withLock { state in
      if replaysLatest { state.latest = element }
      return state.streams
    }
    for stream in streams.values { stream.yield(element) }
  }
}
