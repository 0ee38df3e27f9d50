import Dispatch
import DualSendCore
import Foundation
import Testing

@Suite("A value made once")
struct OnceTests {
  @Test("is made by one thread, and all have it")
  func contention() {
    let values = (0..<2000).map { _ in Once<Int>() }
    let made = Locked(0)
    let sum = Locked(0)
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      func make(_ number: Int) -> () -> Int {
        {
          made.withLock { $0 += 1 }
          return number
        }
      }
      for (number, value) in values.enumerated() { value.prepare(make(number)) }
      for (number, value) in values.enumerated() {
        let found = value(make(number))
        sum.withLock { $0 += found }
      }
    }
    #expect(made.current == 2000)
    #expect(sum.current == 4 * (0..<2000).reduce(0, +))
  }

  @Test("is not waited for by somebody who only prepares it")
  func busy() {
    let value = Once<Int>()
    let (begun, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      _ = value {
        begun.signal()
        goOn.wait()
        return 1
      }
      done.signal()
    }
    begun.wait()
    value.prepare { 2 }
    goOn.signal()
    done.wait()
    #expect(value { 3 } == 1)
  }
}
