import DualSend
import DualSendCommandLine
import DualSendConsole
import DualSendCore
import DualSendParity
import Foundation

/// What the console's pages do, page by page.
struct Workbench: ConsoleWorkbench {
  private let rollout: RolloutPage
  private let table: TablePage
  private let parity: ParityPage
  private let health: HealthPage

  init(
    document: DocumentInput?, options: ConsoleOptions, pairs: LivePairs, console: Console, timeSource: TimeSource
  ) async throws {
    table = try await TablePage(options: options, pairs: pairs)
    rollout = try await RolloutPage(
      document: document, options: options, pairs: pairs, console: console, timeSource: timeSource)
    parity = ParityPage(pairs: pairs, gate: options.gate.gate(otherwise: .perMille), rollout: rollout)
    health = HealthPage(paths: options.database, showsValues: options.showValues, pairs: pairs)
  }

  /// Looks whether the live document or the table has changed.
  func look() async {
    await rollout.look()
    await table.look()
  }

  func state() async -> [String: EventValue] {
    await look()
    return [
      "document": await rollout.state, "table": await table.state, "can": .object(await rollout.abilities),
    ]
  }

  func liveRollout() async -> (document: [UInt8], signature: [UInt8]?)? { await rollout.live }

  func answer(_ request: ConsoleRequest) async throws -> ConsoleAnswer? {
    do {
      if let answer = try await rollout.answer(request) { return answer }
      if let answer = try await table.answer(request) { return answer }
      if let answer = try await parity.answer(request) { return answer }
      return try await health.answer(request)
    } catch let error as CommandError {
      throw ConsoleFailure(500, error.message, help: error.help)
    } catch let error as DocumentError {
      let text = request.members["text"].flatMap { if case .string(let text) = $0 { text } else { nil } }
      let placed = PlacedDiagnostics(in: text ?? "").json(error.diagnostics)
      throw ConsoleFailure(422, "the document is refused", members: ["diagnostics": placed])
    }
  }
}
