import DualSend
import DualSendConsole
@_spi(Tools) import DualSendCore
import DualSendParity
@_spi(Tools) import DualSendRemapping
@_spi(Tools) import DualSendRollout
import Foundation

/// What the console's pages do, page by page.
struct Workbench: ConsoleWorkbench {
  private let rollout: RolloutPage
  private let table: TablePage

  init(document: DocumentInput?, options: ConsoleOptions, pairs: LivePairs, console: Console) async throws {
    rollout = try await RolloutPage(document: document, options: options, pairs: pairs, console: console)
    table = try await TablePage(options: options, pairs: pairs)
  }

  func state() async -> [String: EventValue] {
    [
      "document": await rollout.state, "table": await table.state,
      "can": .object(await rollout.abilities),
    ]
  }

  func liveRollout() async -> (document: [UInt8], signature: [UInt8]?)? { await rollout.live }

  func answer(_ request: ConsoleRequest) async throws -> ConsoleAnswer? {
    do {
      if let answer = try await rollout.answer(request) { return answer }
      return try await table.answer(request)
    } catch let error as CommandError {
      throw ConsoleFailure(500, error.message, help: error.help)
    } catch let error as DocumentError {
      throw ConsoleFailure(
        422, "the document is refused", members: ["diagnostics": PlacedDiagnostics(in: "").json(error.diagnostics)])
    }
  }
}
