import CustomDump
import Dispatch
import DualSendCore
import Testing

@testable import DualSendTracking

@Suite("The dispatcher's priority", .timeLimit(.minutes(10)))
struct PriorityTests {
  private static let mark = DispatchSpecificKey<Bool>()

  @Test("is utility, on a queue of its own, where it stores and reports")
  func utility() async throws {
    let placesOfReports = Locked<[Bool]>([])
    let bench = try Bench {
      $0.observer = { _ in
        let isOnQueue = DispatchQueue.getSpecific(key: Self.mark) ?? false
        placesOfReports.withLock { $0.append(isOnQueue) }
      }
    }
    // Linux has no priority of a thread to ask for; a queue tells its own.
    let queue = bench.tracker.dispatcher.executor.queue
    expectNoDifference(queue.qos, .utility)
    queue.setSpecific(key: Self.mark, value: true)
    bench.tracker.sendLog(name: "a", payload: [:])
    await bench.tracker.flush()
    // One report of the commit, one of the delivery.
    expectNoDifference(placesOfReports.current, [true, true])
  }

  @Test("is not the caller's: a task of high priority that waits for it does not move it elsewhere")
  func notTheCallers() async throws {
    let bench = try Bench()
    bench.tracker.dispatcher.executor.queue.setSpecific(key: Self.mark, value: true)
    let isOnQueue = await Task(priority: .high) {
      await bench.tracker.dispatcher.isOnQueue(markedBy: Self.mark)
    }.value
    #expect(isOnQueue)
  }
}

extension TrackingDispatcher {
  fileprivate func isOnQueue(markedBy mark: DispatchSpecificKey<Bool>) -> Bool {
    DispatchQueue.getSpecific(key: mark) ?? false
  }
}
