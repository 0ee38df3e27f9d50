import ArgumentParser
import DualSend
import DualSendCommandLine
import DualSendCommands
import DualSendConsole
import DualSendCore
import DualSendDelivery
import DualSendRemapping
import DualSendRollout
import DualSendTracking
import Foundation

/// A console with a simulated app. The app sends the fixtures' events through a real adapter, a few per second, in a
/// loop. It fetches the console's rollout every second, so that published edits apply to the next events.
struct DemoConsole: Sendable {
  private static let firstRollout = "rollout-2.json"

  let fixtures: URL
  let folder: URL
  let port: UInt16
  /// Events per second.
  let pace: Double
  let terminal: Terminal
  var timeSource = TimeSource.system

  /// Starts the console and sends until the task is cancelled.
  ///
  /// - Parameter started: called with the page's address.
  func run(started: (URL) -> Void) async throws {
    let rollout = try copy(Self.firstRollout, as: "rollout.json")
    let table = try copy("remapping.json", as: "remapping.json")
    let (oldLog, database) = (
      folder.appendingPathComponent("old.jsonl"), folder.appendingPathComponent("events.sqlite")
    )
    let options = try ConsoleOptions.parse([
      "--port", "\(port)", "--remap", table, "--folder", folder.appendingPathComponent("history").path,
      "--old-log", oldLog.path, "--show-values",
    ])
    let session = try await ConsoleSession(
      document: DocumentInput(argument: rollout), options: options, context: DecisionContext(unitID: nil),
      terminal: terminal, timeSource: timeSource)
    let address = try await session.start()
    started(address)
    do { try await send(to: address, oldLog, database) } catch {
      await session.stop()
      if !(error is CancellationError) { throw error }
    }
  }

  private func send(to address: URL, _ oldLogURL: URL, _ database: URL) async throws {
    let oldLog = OldLogFile(oldLogURL)
    try oldLog.open(resumingAt: nil)
    let tracker = Tracker(
      configuration: TrackerConfiguration.replay(
        endpoint: TrackingEndpoint(url: address.appendingPathComponent("events")), storage: .file(database),
        tally: ReplayTally(), transport: terminal.transport))
    let fetcher = RemoteConfigFetcher(
      RemoteConfigFetcher.Options(url: address.appendingPathComponent("rollout.json"), minimumInterval: .zero),
      storage: ByteStorage.memory(), transport: terminal.transport)
    let table = try RemappingTable(reading: try InputFile.bytes(fixtures.appendingPathComponent("remapping.json").path))
    let dualSend = DualSendTracker(
      oldLogger: oldLog, tracker: tracker, remapping: table, rollout: fetcher, unitID: { nil }
    ) {
      $0.context = DecisionContext()
      $0.oldLoggerEventIDKey = OldLogFile.eventIDKey
    }
    var fetched: Duration?
    do {
      while true {
        for line in try LineReader(fixtures.appendingPathComponent("events.jsonl")) {
          if fetched.map({ timeSource.uptime() - $0 >= .seconds(1) }) ?? true {
            fetched = timeSource.uptime()
            _ = await fetcher.fetch()
            await fetcher.activate()
          }
          if let event = try? LegacyEvent(reading: line.bytes) { try send(event, through: dualSend, oldLog) }
          try await timeSource.sleep(.seconds(1 / pace))
        }
      }
    } catch {
      await tracker.shutdown(timeout: .seconds(2))
      throw error
    }
  }

  private func send(_ event: LegacyEvent, through dualSend: DualSendTracker, _ oldLog: OldLogFile) throws {
    var event = event
    event.time = timeSource.wallMilliseconds()
    event.id = nil
    oldLog.begin(unitID: event.unitID, time: event.time)
    _ = dualSend.logEvent(event)
    try oldLog.flush()
  }

  private func copy(_ name: String, as other: String) throws -> String {
    let path = folder.appendingPathComponent(other).path
    try InputFile.replace(path, with: try InputFile.bytes(fixtures.appendingPathComponent(name).path))
    return path
  }
}
