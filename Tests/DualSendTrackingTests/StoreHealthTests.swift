import CustomDump
import Testing

@testable import DualSendTracking

@Suite("The health of the store", .timeLimit(.minutes(5)))
struct StoreHealthTests {
  private let error = TrackingStoreError(kind: .inputOutput, message: "broken")

  @Test("doubles the wait from one failure to the next, up to a minute")
  func waits() {
    var health = StoreHealth()
    var waits: [Duration?] = []
    for _ in 1...12 {
      health.failed(error)
      waits.append(health.retryDelay)
      health.tryAgain()
    }
    let doubled: [Duration] = (0...9).map { .milliseconds(100 << $0) }
    expectNoDifference(waits, doubled + [.seconds(60), .seconds(60)])
  }

  @Test("asks for no wait while the store may be used, and begins anew once it works")
  func succeeded() {
    var health = StoreHealth()
    #expect(health.retryDelay == nil)
    health.failed(error)
    #expect(health.isFirstFailure)
    health.failed(error)
    #expect(!health.isFirstFailure)
    health.tryAgain()
    #expect(health.failure == nil && health.retryDelay == nil)
    health.succeeded()
    health.failed(error)
    #expect(health.isFirstFailure && health.retryDelay == .milliseconds(100))
  }

  @Test("counts a store that cannot be replaced as the same failure")
  func replacement() {
    var health = StoreHealth()
    health.failed(TrackingStoreError(kind: .damaged, message: "page 7"))
    health.replacementFailed(error)
    #expect(health.failure == error)
    #expect(health.isFirstFailure)
  }
}
