import CustomDump
import DualSendTesting
import FaultingVFS
import Foundation
import Platform
import Testing
import Tracking

/// SQLite's writes fail one after the other. The shim knows one armed folder at a time, so these tests run in turn.
@Suite("A disk that fails", .serialized)
struct StoreFaultTests {
  /// What the writes answer, and how many in a row.
  private static let faults: [(name: String, answer: faulting_vfs_answer, count: Int)] = [
    ("one I/O error", FAULTING_VFS_IO_ERROR, 1), ("a full disk once", FAULTING_VFS_DISK_FULL, 1),
    ("I/O errors for a while", FAULTING_VFS_IO_ERROR, 12), ("a full disk for a while", FAULTING_VFS_DISK_FULL, 12),
  ]
  /// A short run tries each third call, starting elsewhere for each fault; a long run tries all.
  private static let stride = FaultRun.factor > 1 ? 1 : 3

  init() throws {
    try #require(faulting_vfs_register() == 0)
  }

  @Test(
    "loses nothing, whichever write or sync of a whole life fails", .timeLimit(.minutes(10)), arguments: faults.indices)
  func everyWriteFails(index: Int) async throws {
    let fault = Self.faults[index]
    let calls = try await life(failing: fault.answer, from: .max, count: 0)
    try #require(calls > 20)
    for number in Swift.stride(from: 1 + index % Self.stride, through: calls, by: Self.stride) {
      _ = try await life(failing: fault.answer, from: number, count: fault.count)
    }
    FaultRun.report("\(fault.name): of \(calls) writes and syncs each \(Self.stride). failed, lost 0")
  }

  /// Sends, delivers, closes and opens again while writes fail, then checks that what was committed arrived.
  ///
  /// - Returns: how many writing calls there were.
  private func life(failing answer: faulting_vfs_answer, from first: Int, count: Int) async throws -> Int {
    let failing: Comment = "failing call \(first)"
    let folder = try TemporaryFolder()
    let transport = ScriptedTransport()
    var committed: Set<String> = []
    faulting_vfs_arm(folder.url.path, answer, first, count)
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
    expectNoDifference(committed.union(["after"]).subtracting(received), [], "failing call \(first)")
    let ledger = await tracker.statistics.ledger
    expectNoDifference(ledger, Ledger(accepted: received.count, delivered: received.count), "failing call \(first)")
    return calls
  }

  private static func tracker(_ file: URL, _ transport: ScriptedTransport) throws -> Tracker {
    let url = try #require(URL(string: "http://collector.test/events"))
    return Tracker(
      configuration: TrackerConfiguration(
        endpoint: TrackingEndpoint(url: url), storage: .file(file), logger: .silent, transport: transport,
        time: ManualClock().timeSource))
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
