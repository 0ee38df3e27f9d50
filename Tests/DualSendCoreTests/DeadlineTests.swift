import DualSendCore
import Testing

@Suite("A deadline", .timeLimit(.minutes(10)))
struct DeadlineTests {
  private struct Fault: Error, Equatable {}

  /// The time is up at once.
  private static let over = Deadline(.seconds(1), sleep: { _ in })
  /// The time is never up.
  private static let never = Deadline(.seconds(1), sleep: { _ in await Self.endless() })

  /// Ends when its task is cancelled.
  private static func endless() async {
    for await _ in AsyncStream.makeStream(of: Never.self).stream {}
  }

  /// Work that goes on, cancelled or not, until the stream ends.
  private static func stubborn(until end: AsyncStream<Never>) async {
    await Task { for await _ in end {} }.value
  }

  @Test("lets through what the work comes to in time")
  func inTime() async throws {
    #expect(try await Self.never.run { 7 } == 7)
  }

  @Test("lets through the work's own error")
  func error() async {
    await #expect(throws: Fault()) {
      try await Self.never.run(orThrow: { _ in Fault() }) { () async throws(Fault) -> Int in throw Fault() }
    }
  }

  @Test("asks for the time that it was given, and stops asking when the work is done")
  func asks() async throws {
    let asked = Locked<[Duration]>([])
    let (ended, continuation) = AsyncStream.makeStream(of: Void.self)
    let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
    let deadline = Deadline(.seconds(3)) { limit in
      asked.withLock { $0.append(limit) }
      beginning.finish()
      await Self.endless()
      continuation.finish()
      throw CancellationError()
    }
    try await deadline.run { for await _ in begun {} }
    for await _ in ended {}
    #expect(asked.current == [.seconds(3)])
  }

  @Test("holds for work that ignores cancellation")
  func timedOut() async {
    let (end, continuation) = AsyncStream.makeStream(of: Never.self)
    await #expect(throws: Deadline.Miss.timedOut) { try await Self.over.run { await Self.stubborn(until: end) } }
    continuation.finish()
  }

  @Test("ends at once when the task that waits is cancelled, whatever the work does")
  func cancelled() async {
    let (end, continuation) = AsyncStream.makeStream(of: Never.self)
    let (begun, beginning) = AsyncStream.makeStream(of: Never.self)
    let waiting = Task {
      try await Self.never.run {
        beginning.finish()
        await Self.stubborn(until: end)
      }
    }
    for await _ in begun {}
    waiting.cancel()
    await #expect(throws: Deadline.Miss.cancelled) { try await waiting.value }
    continuation.finish()
  }

  @Test("cancels work that is late")
  func cancelsWork() async {
    let (ended, continuation) = AsyncStream.makeStream(of: Never.self)
    await #expect(throws: Deadline.Miss.timedOut) {
      try await Self.over.run {
        await Self.endless()
        continuation.finish()
      }
    }
    for await _ in ended {}
  }

  @Test("begins nothing for a task that is cancelled already")
  func cancelledBefore() async {
    let hasBegun = Locked(false)
    let waiting = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await Self.never.run { hasBegun.withLock { $0 = true } }
    }
    await #expect(throws: Deadline.Miss.cancelled) { try await waiting.value }
    #expect(!hasBegun.current)
  }
}
