import DualSend
import DualSendConsole
@_spi(Tools) import DualSendCore
@_spi(Tools) import DualSendRollout
import Foundation

/// The page on which the rollout is edited, proved and published.
actor RolloutPage {
  private let document: LiveDocument?
  private let options: ConsoleOptions
  private let pairs: LivePairs

  init(document: DocumentInput?, options: ConsoleOptions, pairs: LivePairs, console: Console) async throws {
    self.document = document.map { LiveDocument($0, on: console) }
    (self.options, self.pairs) = (options, pairs)
    if let live = self.document {
      await pairs.setRollout(try RolloutDocument(reading: try await live.bytes(), name: live.name))
    }
  }

  var state: EventValue {
    get async {
      guard let document else { return .null }
      let bytes = try? await document.bytes()
      let revision = bytes.flatMap { try? RolloutDocument(reading: $0) }?.revision
      return ["name": .string(document.name), "revision": revision.map { .int($0) } ?? .null]
    }
  }

  var abilities: [String: EventValue] {
    [
      "publish": .bool(document?.path != nil || options.publish != nil), "sign": .bool(options.key != nil),
      "rollback": .bool(document != nil), "deadletters": .bool(!options.database.isEmpty),
    ]
  }

  var live: (document: [UInt8], signature: [UInt8]?)? {
    get async {
      guard let document, let bytes = try? await document.bytes() else { return nil }
      return (bytes, await document.signature)
    }
  }

  func answer(_ request: ConsoleRequest) async throws -> ConsoleAnswer? { nil }
}
