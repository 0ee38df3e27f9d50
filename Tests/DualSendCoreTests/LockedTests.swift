import Dispatch
import DualSendCore
import Testing

@Suite("A locked value", .timeLimit(.minutes(5)))
struct LockedTests {
  @Test("loses no change that threads make at the same time")
  func contention() {
    let value = Locked([String: Int]())
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for number in 0..<5000 { value.withLock { $0[String(number % 10), default: 0] += 1 } }
    }
    #expect(value.current.values.allSatisfy { $0 == 4000 })
    #expect(value.current.count == 10)
  }

  @Test("hands out what its change returns")
  func result() {
    let value = Locked(1)
    let before = value.withLock { value in
      defer { value += 1 }
      return value
    }
    #expect(before == 1)
    #expect(value.current == 2)
  }
}
