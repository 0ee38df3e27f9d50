import DualSendCore
import DualSendCrashChild
import DualSendRollout
import Foundation
import Testing

@Suite("A breaker whose processes die", .serialized, .timeLimit(.minutes(60)))
struct BreakerKillTests {
  private typealias Step = BreakerFolder.Step

  private static func launch(
    _ mode: String, in folder: URL, _ number: Int, until end: KilledProcess.End
  ) async throws -> [CrashReport] {
    try await KilledProcess.run([folder.path, "-", "\(number)", "breaker-\(mode)"], until: end)
  }

  /// Early ends that it counted, whether it is open, and how many events the old logger got.
  private static func summary(_ reports: [CrashReport]) throws -> (earlyEnds: Int, isOpen: Bool, old: Int) {
    guard case .breaker(let earlyEnds, let isOpen)? = reports.first else { throw CrashReport.Malformed(line: "none") }
    return (earlyEnds, isOpen, reports.count - 1)
  }

  private static func marks(in folder: TemporaryFolder) throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.path).count { $0.hasPrefix("launch-") }
  }

  @Test("opens after three marked launches have died, wherever in the start they die, and no death closes it")
  func everyStep() async throws {
    var random = SplitMix64(seed: FaultRun.seed)
    var (deaths, openings) = (0, 0)
    // One more than the steps: dies on trial, after the start.
    var steps = Array(0...Step.allCases.count)
    while deaths < 100 * FaultRun.factor {
      let folder = try TemporaryFolder()
      let files = BreakerFolder(folder.url)
      var (counted, all) = (0, 0)
      while files.record?.opening == nil {
        if steps.isEmpty { steps = Array(0...Step.allCases.count) }
        let step = steps.remove(at: random.number(below: steps.count))
        _ = try await Self.launch("step", in: folder.url, step, until: .byOwnKill)
        deaths += 1
        all += 1
        let before = counted
        counted = (files.record?.earlyEnds ?? 0) + (try Self.marks(in: folder))
        // From the moment that the mark's file is made, a death is counted; before that nothing of the new side ran.
        #expect(counted >= before + (step > Step.createMark.rawValue ? 1 : 0) || files.record?.opening != nil)
        #expect(counted <= all, "more early ends are counted than launches died")
        #expect(files.record?.opening == nil || files.record?.earlyEnds ?? 0 >= 3)
      }
      openings += 1
      for step in 0...Step.allCases.count {
        _ = try await Self.launch("step", in: folder.url, step, until: .byOwnKill)
        deaths += 1
        #expect(files.record?.opening?.cause == .earlyEnds, "closed by a death before step \(step)")
      }
    }
    FaultRun.report("breaker: \(deaths) processes killed at every step of the start, \(openings) openings")
  }

  @Test("an app that is killed three times in its first seconds is on the old logger then, until another revision")
  func app() async throws {
    let folder = try TemporaryFolder()
    var random = SplitMix64(seed: FaultRun.seed)
    for early in 0..<3 {
      let end = KilledProcess.End.afterFirstLine(.milliseconds(random.number(below: 100)))
      let (earlyEnds, isOpen, old) = try Self.summary(try await Self.launch("work", in: folder.url, 1, until: end))
      #expect((earlyEnds, isOpen, old) == (early, false, 0))
    }
    let database = try Data(contentsOf: folder.file("events.sqlite"))
    let end = KilledProcess.End.afterFirstLine(.milliseconds(100))
    let open = try Self.summary(try await Self.launch("work", in: folder.url, 1, until: end))
    #expect((open.earlyEnds, open.isOpen) == (3, true))
    #expect(open.old > 0)
    #expect(try Data(contentsOf: folder.file("events.sqlite")) == database)
    let next = try Self.summary(try await Self.launch("work", in: folder.url, 2, until: end))
    #expect((next.earlyEnds, next.isOpen, next.old) == (0, false, 0))
  }

  @Test("a launch that lasts begins the count anew, even if its process is killed later")
  func healthy() async throws {
    let folder = try TemporaryFolder()
    let end = KilledProcess.End.afterFirstLine(.milliseconds(20))
    for _ in 0..<2 { _ = try await Self.launch("work", in: folder.url, 1, until: end) }
    let healthy = try Self.summary(try await Self.launch("rest", in: folder.url, 1, until: .byOwnKill))
    #expect((healthy.earlyEnds, healthy.isOpen) == (2, false))
    let after = try Self.summary(try await Self.launch("work", in: folder.url, 1, until: end))
    #expect((after.earlyEnds, after.isOpen) == (0, false))
  }

  @Test("two processes at once are two launches: neither counts the other while it lives, and both count when killed")
  func two() async throws {
    let folder = try TemporaryFolder()
    let end = KilledProcess.End.afterFirstLine(.milliseconds(500))
    let url = folder.url
    async let first = Self.launch("work", in: url, 1, until: end)
    async let second = Self.launch("work", in: url, 1, until: end)
    let summaries = try [Self.summary(try await first), Self.summary(try await second)]
    #expect(summaries.map(\.earlyEnds) == [0, 0])
    let after = try Self.summary(try await Self.launch("work", in: folder.url, 1, until: end))
    #expect((after.earlyEnds, after.isOpen) == (2, false))
  }
}
