import DualSend
import DualSendCore
import DualSendTracking
import Foundation
import Logging

/// The child with several sinks: it logs numbered events through an adapter to two files, a slow third one, and one whose
/// receiver is dead until the queue is drained.
enum SinksChild {
  /// The files that the sinks write, in order; the last is the dead one's.
  static let files = ["main.jsonl", "second.jsonl", "slow.jsonl", "dead.jsonl"]

  static func run(in folder: URL, from first: Int64, drains: Bool) async throws {
    let receivers: [any EventReceiver] = files.map { name in
      let file = JSONLinesReceiver(file: folder.appendingPathComponent(name))
      if name == "slow.jsonl" { return SlowReceiver(receiver: file) }
      return name == "dead.jsonl" && !drains ? DeadReceiver() : file
    }
    let sinks = zip(files, receivers).map { name, receiver in
      Sink.buffered(Sink.ID(rawValue: name), to: receiver, start: .immediately) { configuration in
        configuration.storage = .file(folder.appendingPathComponent(name + ".sqlite"))
        configuration.digest.batchEvents = 8
        configuration.retry.backoff = RetryBackoff(shape: .fullJitter, base: .milliseconds(1), cap: .milliseconds(20))
        configuration.logger = Logger(label: "crash-child") { _ in SwiftLogNoOpLogHandler() }
      }
    }
    guard let tracker = sinks[0].tracker else { return }
    let logger = DualSendTracker(
      oldLogger: NoLogger(), tracker: tracker,
      rollout: try RolloutSnapshot(shouldSendLogToOldLogger: true, shouldSendLogToNewTracker: true), unitID: { nil }
    ) {
      $0.oldSinks = [sinks[1]]
      $0.newSinks = [sinks[2], sinks[3]]
      $0.mutations = [.session()]
    }
    for sink in sinks { if let ledger = await sink.statistics?.ledger { try CrashChild.report(.ledger(ledger)) } }
    if drains {
      await logger.flush(timeout: .seconds(30))
      await logger.shutdown()
      for sink in sinks { if let ledger = await sink.statistics?.ledger { try CrashChild.report(.ledger(ledger)) } }
    } else {
      try await work(logger, from: first)
    }
  }

  private static func work(_ logger: DualSendTracker, from first: Int64) async throws {
    var next = first
    for burst in 1... {
      let numbers = next..<next + Int64(burst % 5 + 1)
      next = numbers.upperBound
      for number in numbers { logger.log("crash", parameters: ["number": number]) }
      if await logger.persist() == 0 {
        for number in numbers { try CrashChild.report(.committed(number)) }
      }
    }
  }
}

private struct NoLogger: OldLogger {
  func logEvents(name: String, parameters: [[String: Any]]) {}
}

private struct SlowReceiver: EventReceiver {
  let receiver: any EventReceiver

  func receive(_ events: [TrackingData]) async throws(EventReceiverFailure) {
    try? await Task.sleep(for: .milliseconds(5))
    try await receiver.receive(events)
  }
}

private struct DeadReceiver: EventReceiver {
  func receive(_ events: [TrackingData]) async throws(EventReceiverFailure) {
    throw .unavailable("dead")
  }
}
