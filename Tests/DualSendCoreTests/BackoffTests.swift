import DualSendCore
import Testing

@Suite("A back-off", .timeLimit(.minutes(5)))
struct BackoffTests {
  @Test("without jitter climbs 2, 4, 8 s and then ends")
  func ladder() {
    let waits = (1...5).map { RetryBackoff.ladder().delay(afterFailures: $0) { 0.5 } }
    #expect(waits == [.seconds(2), .seconds(4), .seconds(8), nil, nil])
  }

  @Test("with full jitter takes the random part of a step that doubles up to the cap, without end")
  func fullJitter() {
    func waits(_ fraction: Double) -> [Duration?] {
      [1, 2, 8, 9, 1000, .max].map { RetryBackoff.fullJitter.delay(afterFailures: $0) { fraction } }
    }
    #expect(waits(1) == [.seconds(2), .seconds(4), .seconds(256), .seconds(300), .seconds(300), .seconds(300)])
    #expect(waits(0.5) == [.seconds(1), .seconds(2), .seconds(128), .seconds(150), .seconds(150), .seconds(150)])
    #expect(waits(0) == Array(repeating: .zero, count: 6))
  }

  @Test("stays between nothing and its step whatever the random number", arguments: [-1, 0, 0.25, 1, 2, 1e300])
  func bounds(_ fraction: Double) throws {
    let wait = try #require(RetryBackoff.fullJitter.delay(afterFailures: 3) { fraction })
    #expect((.zero...(.seconds(8))).contains(wait))
  }

  @Test("asks for a random number only where it has jitter")
  func asksOnce() {
    var asked = 0
    let count: () -> Double = {
      asked += 1
      return 0
    }
    _ = RetryBackoff.ladder().delay(afterFailures: 1, fraction: count)
    #expect(asked == 0)
    _ = RetryBackoff.fullJitter.delay(afterFailures: 1, fraction: count)
    #expect(asked == 1)
  }

  @Test("counts from the first step, also for a number of failures that cannot be", arguments: [-5, 0, 1])
  func firstStep(_ failures: Int) {
    #expect(RetryBackoff.ladder().delay(afterFailures: failures) { 0 } == .seconds(2))
  }

  @Test("with a limit of no retries never waits")
  func noRetries() {
    #expect(RetryBackoff.ladder(retryLimit: 0).delay(afterFailures: 1) { 0 } == nil)
  }

  @Test("has the base and the cap that it is given")
  func ownSteps() {
    let backoff = RetryBackoff(shape: .ladder, base: .milliseconds(100), cap: .milliseconds(250))
    #expect((1...4).map { backoff.delay(afterFailures: $0) { 0 } } == [100, 200, 250, 250].map { .milliseconds($0) })
  }
}
