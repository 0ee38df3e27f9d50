import DualSendCore
import DualSendCrashChild
import DualSendRollout
import Foundation
import Testing

@Suite("A breaker whose processes die", .serialized, .timeLimit(.minutes(60)))
struct BreakerKillTests {
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
}
