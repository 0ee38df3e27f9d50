/// Hands every value to all streams that listen.
///
/// May be used from any thread. Values that one thread sends reach each stream in order. A stream whose reader is gone
/// is forgotten; all streams end when the multicast is released.
public final class Multicast<Element: Sendable>: Sendable {
  private struct State: Sendable {
    /// What a new stream begins with.
    var latest: Element?
    var streams: [Int: AsyncStream<Element>.Continuation] = [:]
    var nextID = 0
  }

  private let bufferSize: Int
  private let replaysLatest: Bool
  private let state: Locked<State>

  /// Creates a multicast whose streams begin with the next value.
  ///
  /// - Parameter bufferSize: a reader that falls this many values behind loses the oldest of them.
  public init(bufferSize: Int) {
    self.bufferSize = bufferSize
    replaysLatest = false
    state = Locked(State())
  }

  /// Creates a multicast of something that has a value at every moment: a stream begins with the current one.
  ///
  /// - Parameter bufferSize: a reader that falls this many values behind loses the oldest of them; by default it gets
  ///   the newest only.
  public init(current: Element, bufferSize: Int = 1) {
    self.bufferSize = bufferSize
    replaysLatest = true
    state = Locked(State(latest: current))
  }

  deinit {
    for stream in state.current.streams.values { stream.finish() }
  }

  /// Whether anybody listens.
  public var hasListeners: Bool {
    state.withLock { !$0.streams.isEmpty }
  }

  /// A new stream.
  public func stream() -> AsyncStream<Element> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Element.self, bufferingPolicy: .bufferingNewest(bufferSize))
    let id = state.withLock { state in
      state.nextID += 1
      state.streams[state.nextID] = continuation
      // Under the lock, so that no newer value can come before it. Nobody reads the stream yet, so nothing is called out.
      if let latest = state.latest { continuation.yield(latest) }
      return state.nextID
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { _ = $0.streams.removeValue(forKey: id) }
    }
    return stream
  }

  /// Hands a value to every stream, once the lock is released.
  public func send(_ element: Element) {
    let streams = state.withLock { state in
      if replaysLatest { state.latest = element }
      return state.streams
    }
    for stream in streams.values { stream.yield(element) }
  }
}
