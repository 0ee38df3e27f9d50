import DualSendCore
import DualSendRollout
import DualSendTesting
import DualSendTracking
import Foundation
import Testing

@testable import DualSend

/// An adapter in the usual wiring, with a breaker.
struct BreakerBench {
  let storage: ByteStorage
  let clock = ManualClock()
  let old = RecordingOldLogger()
  let openings = Locked<[BreakerOpening?]>([])
  let logger: DualSendTracker

  static func document(_ text: String, revision: Int64 = 12) -> [UInt8] {
    Array(#"{"formatVersion": 1, "revision": \#(revision), "salt": "s", \#(text)}"#.utf8)
  }

  static func snapshot(revision: Int64) throws -> RolloutSnapshot {
    let text = #""shouldSendLogToOldLogger": 0, "shouldSendLogToNewTracker": 100"#
    return RolloutSnapshot(try RolloutDocument(reading: document(text, revision: revision), name: "rollout.json"))
  }

  init(
    _ breakerStorage: ByteStorage = .memory(),
    rollout: String = #""shouldSendLogToOldLogger": 0, "shouldSendLogToNewTracker": 100"#,
    storage: TrackerConfiguration.StoreLocation = .memory, server: ScriptedTransport = ScriptedTransport(),
    configure: (inout DualSendTracker.Breaker.Settings) -> Void = { _ in }
  ) throws {
    self.storage = breakerStorage
    let document = try RolloutDocument(reading: Self.document(rollout), name: "rollout.json")
    let url = try #require(URL(string: "https://ops.test/rollout.json"))
    var settings = DualSendTracker.Breaker.Settings()
    settings.appReportsEnds = true
    settings.appVersion = "25.4"
    settings.observer = { [openings] opening in openings.withLock { $0.append(opening) } }
    configure(&settings)
    logger = DualSendTracker(oldLogger: old, collector: url, rollout: url) { [clock] configuration in
      configuration.tracker.storage = storage
      configuration.tracker.time = clock.timeSource
      configuration.transport = server
      configuration.storage = { $0 == "breaker" ? breakerStorage : .memory() }
      configuration.inAppDefault = RolloutSnapshot(document)
      configuration.oldLoggerEventIDKey = "event_id"
      configuration.unitID = { "unit" }
      configuration.breaker = settings
    }
  }

  /// The storage after so many launches that ended early.
  static func afterEarlyEnds(_ count: Int) -> ByteStorage {
    var record = BreakerRecord(appVersion: "25.4", revision: 12)
    record.earlyEnds = max(0, count - 1)
    // A process that is not this one.
    record.launching = count > 0 ? 1 : nil
    return .memory(record.bytes)
  }

  /// What is stored.
  var record: BreakerRecord? { (try? storage.read()).flatMap { $0 }.flatMap(BreakerRecord.init(reading:)) }

  /// Returns when the stored record meets the condition.
  func isStored(_ condition: (BreakerRecord) -> Bool) async {
    while !(record.map(condition) ?? false), !Task.isCancelled { await Task.yield() }
  }

  var oldDecisions: [String?] {
    old.entries.map { if case .string(let text)? = $0.parameters["dual_send"] { text } else { nil } }
  }

  func end() async {
    await logger.fetcher?.stop()
    await logger.shutdown(timeout: .zero)
  }
}

extension ScriptedTransport {
  static func ids(of request: HTTPTransportRequest) -> [String] {
    guard case .array(let elements)? = try? JSONReader().value(request.body ?? []) else { return [] }
    return elements.compactMap { if case .string(let id)? = $0["eventId"] { id } else { nil } }
  }
}
