import DualSend
import DualSendCommandLine
import DualSendCommands
import DualSendCore
import DualSendParity

/// The pages that the console's routes call.
struct ConsolePages: Sendable {
  let rollout: RolloutPage
  let table: TablePage
  let parity: ParityPage
  let live: LivePage
  let feed: AppFeed

  /// The time between two looks for alarms. Comparing is expensive, so it is not done after each event.
  private static let alarmInterval = Duration.seconds(20)

  /// Reads the document and the table.
  ///
  /// - Throws: `DocumentError` if one is refused, `CommandError` if one cannot be read.
  init(
    document: DocumentInput?, options: ConsoleOptions, pairs: LiveComparison, configuration: ConsoleConfiguration,
    terminal: Terminal
  ) async throws {
    table = try await TablePage(options: options, pairs: pairs)
    rollout = try await RolloutPage(
      document: document, options: options, pairs: pairs, terminal: terminal, timeSource: configuration.timeSource)
    let gate = options.gate.gate(otherwise: .perMille)
    let days = options.trend ?? document?.path.map(ParityDays.path(besideDocument:))
    parity = ParityPage(pairs: pairs, gate: gate, rollout: rollout, kept: KeptParity(path: days, gate: gate))
    live = LivePage(pairs: pairs, showsValues: options.showValues, timeSource: configuration.timeSource)
    feed = AppFeed(
      pairs: pairs, maximumBatchBytes: configuration.maximumBatchBytes,
      recording: try options.record.map { try EventRecording($0) })
  }

  /// Reads the document and the table again if they have changed on disk.
  func refresh() async {
    await rollout.refresh()
    await table.refresh()
  }

  /// Tells a webhook of losses and a gate that closes or opens again, until the task is cancelled.
  func tell(_ webhook: Webhook, on terminal: Terminal, timeSource: TimeSource) async throws {
    var alarm = ParityAlarm()
    var isReached = true
    while true {
      try await timeSource.sleep(Self.alarmInterval)
      guard let judgement = await parity.judgement() else { continue }
      do {
        try await alarm.tell(of: judgement, source: rollout.document?.name ?? "the console", send: webhook.post)
        isReached = true
      } catch {
        let problem = (error as? CommandError)?.message ?? "\(error)"
        if isReached, !Task.isCancelled { terminal.note("\(problem); it is tried again") }
        isReached = false
      }
    }
  }

  func state(for request: ConsoleRequest) async -> EventValue {
    await refresh()
    var members = await live.state
    members["version"] = 1
    members["document"] = await rollout.state
    members["table"] = await table.state
    let mayAct = request.readingToken != nil
    members["can"] = .object(await rollout.abilities.mapValues { mayAct ? $0 : false })
    members["reading"] = request.readingToken.map { .string($0) } ?? .null
    return .object(members)
  }
}
