import CustomDump
import DualSendCore
import DualSendFaultingVFS
import DualSendTesting
import DualSendTracking
import Foundation
import Testing

/// SQLite's calls into the file system fail one after the other. The shim knows one armed folder at a time, so these
/// tests run in turn.
@Suite("A disk that fails", .serialized, .timeLimit(.minutes(5)))
struct StoreFaultTests {
  /// Which calls fail, with what, and how many in a row.
  struct Fault: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let calls: faulting_vfs_calls
    var answer = FAULTING_VFS_IO_ERROR
    var count = 1
    /// A life has fewer calls of this kind only if the shim no longer sees them.
    var leastCalls = 1

    static let all = [
      Fault(testDescription: "one write or sync", calls: FAULTING_VFS_WRITES, leastCalls: 20),
      Fault(testDescription: "writes and syncs for a while", calls: FAULTING_VFS_WRITES, count: 12, leastCalls: 20),
      Fault(testDescription: "a full disk once", calls: FAULTING_VFS_WRITES, answer: FAULTING_VFS_DISK_FULL),
      Fault(
        testDescription: "a full disk for a while", calls: FAULTING_VFS_WRITES, answer: FAULTING_VFS_DISK_FULL,
        count: 12
      ),
      Fault(testDescription: "one open", calls: FAULTING_VFS_OPENS, leastCalls: 4),
      Fault(testDescription: "opens for a while", calls: FAULTING_VFS_OPENS, count: 4, leastCalls: 4),
      Fault(testDescription: "one read", calls: FAULTING_VFS_READS, leastCalls: 10),
      Fault(testDescription: "reads for a while", calls: FAULTING_VFS_READS, count: 12, leastCalls: 10),
      Fault(testDescription: "one delete", calls: FAULTING_VFS_DELETES),
      Fault(testDescription: "one truncate", calls: FAULTING_VFS_TRUNCATES),
      Fault(testDescription: "one question for a size", calls: FAULTING_VFS_SIZES, leastCalls: 10),
      Fault(testDescription: "one lock", calls: FAULTING_VFS_LOCKS, leastCalls: 20),
      Fault(
        testDescription: "a lock held by somebody for a while", calls: FAULTING_VFS_LOCKS, answer: FAULTING_VFS_BUSY,
        count: 12, leastCalls: 20),
      Fault(testDescription: "one map of the WAL's index", calls: FAULTING_VFS_MAPS, leastCalls: 2),
    ]
  }

  /// A short run lets so many calls of each kind fail, spread over all of them; a long run each.
  private static let shortRun = 25

  init() throws {
    try #require(faulting_vfs_register() == 0)
  }

  @Test("loses nothing, whichever call of a whole life fails", .timeLimit(.minutes(10)), arguments: Fault.all)
  func everyCallFails(fault: Fault) async throws {
    let calls = try await life(fault, from: .max)
    #expect(calls >= fault.leastCalls)
    let step = FaultRun.isLong ? 1 : max(1, calls / Self.shortRun)
    for number in stride(from: 1, through: calls, by: step) { _ = try await life(fault, from: number) }
    FaultRun.report("\(fault.testDescription) fails: \(calls) calls, each \(step). tried, lost 0")
  }

  /// Sends, delivers, closes and opens again while calls fail, then checks that what was committed arrived.
  ///
  /// - Returns: how many calls of the kind there were.
  private func life(_ fault: Fault, from first: Int) async throws -> Int {
    let failing: Comment = "\(fault.testDescription), call \(first)"
    let folder = try TemporaryFolder()
    let transport = ScriptedTransport()
    var committed: Set<String> = []
    faulting_vfs_arm(folder.url.path, fault.calls, fault.answer, first, first == .max ? 0 : fault.count)
    for session in 0..<2 {
      let tracker = try Self.tracker(folder.file("events.sqlite"), transport)
      for number in 0..<3 {
        tracker.sendLog(name: "\(session).\(number)", payload: [:])
        if await tracker.persist() == 0 { committed.formUnion((0...number).map { "\(session).\($0)" }) }
      }
      await tracker.flush()
      #expect(await tracker.statistics.ledger.isBalanced, failing)
      await tracker.shutdown()
      #expect(await tracker.statistics.ledger.isBalanced, failing)
    }
    let calls = faulting_vfs_disarm()

    let tracker = try Self.tracker(folder.file("events.sqlite"), transport)
    tracker.sendLog(name: "after", payload: [:])
    await tracker.shutdown()
    let received = Set(transport.receivedNames)
    #expect(committed.union(["after"]).subtracting(received).isEmpty, failing)
    let ledger = await tracker.statistics.ledger
    #expect(ledger == TrackingLedger(accepted: received.count, delivered: received.count), failing)
    return calls
  }

  private static func tracker(_ file: URL, _ transport: ScriptedTransport) throws -> Tracker {
    let url = try #require(URL(string: "http://collector.test/events"))
    return Tracker(
      configuration: TrackerConfiguration(
        endpoint: TrackingEndpoint(url: url), storage: .file(file), transport: transport, time: ManualClock().timeSource
      ) {
        $0.logger = .silent
      })
  }
}

extension ScriptedTransport {
  /// The names of the events that arrived, in order.
  var receivedNames: [String] {
    events.compactMap { event in
      if case .string(let name)? = event["eventName"] { name } else { nil }
    }
  }
}
