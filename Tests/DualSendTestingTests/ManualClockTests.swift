import DualSendCore
import DualSendTesting
import Testing

@Suite("A manual clock", .timeLimit(.minutes(5)))
struct ManualClockTests {
  @Test("moves both clocks only when it is told, and the wall alone when that jumps")
  func moves() {
    let clock = ManualClock(wallMilliseconds: 1000)
    let time = clock.timeSource
    let start = time.uptime()
    clock.advance(by: .seconds(2))
    #expect(time.wallMilliseconds() == 3000)
    #expect(time.uptime() - start == .seconds(2))
    clock.jumpWall(by: .seconds(-10))
    #expect(time.wallMilliseconds() == -7000)
    #expect(time.uptime() - start == .seconds(2))
  }

  @Test("ends the waits that fall due, and no other")
  func waits() async throws {
    let clock = ManualClock()
    let time = clock.timeSource
    let short = Task { try await time.sleep(.seconds(1)) }
    let long = Task { try await time.sleep(.seconds(5)) }
    await clock.untilWaits(2)
    #expect(clock.pendingWaits == [.seconds(1), .seconds(5)])
    clock.advance(by: .seconds(1))
    try await short.value
    #expect(clock.pendingWaits == [.seconds(4)])
    long.cancel()
    await #expect(throws: CancellationError.self) { try await long.value }
    #expect(clock.pendingWaits == [])
  }
}
