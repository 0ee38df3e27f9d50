import Testing

@testable import DualSendTracking

@Suite("The callers of a flush", .timeLimit(.minutes(10)))
struct FlushWaitersTests {
  @Test("go when everything up to their sequence is answered for")
  func settled() async {
    var waiters = FlushWaiters()
    let (early, late) = (waiters.add(upTo: 3), waiters.add(upTo: 7))
    waiters.settle(oldest: 4, obstacle: nil)
    await early.wait()
    #expect(waiters.leave(early, orElse: .timedOut) == nil)
    #expect(!waiters.isEmpty)
    #expect(waiters.leave(late, orElse: .timedOut) == .timedOut)
    #expect(waiters.isEmpty)
  }

  @Test("all go when the store is empty")
  func empty() async {
    var waiters = FlushWaiters()
    let ticket = waiters.add(upTo: 3)
    waiters.settle(oldest: nil, obstacle: .consent)
    await ticket.wait()
    #expect(waiters.isEmpty)
    #expect(waiters.leave(ticket, orElse: .timedOut) == nil)
  }

  @Test("learn what stands in the way of those that are not answered for")
  func obstacle() {
    var waiters = FlushWaiters()
    let (early, late) = (waiters.add(upTo: 3), waiters.add(upTo: 7))
    waiters.settle(oldest: 4, obstacle: .consent)
    #expect(waiters.leave(early, orElse: .timedOut) == nil)
    #expect(waiters.leave(late, orElse: .timedOut) == .consent)
  }

  @Test("wait on while nothing lasting stands in the way")
  func waiting() {
    var waiters = FlushWaiters()
    _ = waiters.add(upTo: 3)
    waiters.settle(oldest: 3, obstacle: nil)
    #expect(!waiters.isEmpty)
    waiters.settleAll(.paused(.manual))
    #expect(waiters.isEmpty)
  }
}
