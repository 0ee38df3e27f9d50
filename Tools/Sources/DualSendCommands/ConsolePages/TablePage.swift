import DualSend
import DualSendConsole
@_spi(Tools) import DualSendCore
import DualSendParity
@_spi(Tools) import DualSendRemapping
import Foundation

/// The page on which the remapping table is seen at work and edited.
actor TablePage {
  private let path: String?
  private let normalisation: Normalisation
  private let pairs: LivePairs

  init(options: ConsoleOptions, pairs: LivePairs) async throws {
    path = options.remap
    self.pairs = pairs
    let normalise = options.normalise
    normalisation =
      try Normalisation.presets[normalise] ?? Normalisation(try InputFile.bytes(normalise), name: normalise)
    if let path {
      let bytes = try InputFile.bytes(path)
      let table = try RemappingTable(bytes, name: path)
      await pairs.setTable(LiveTable(table, normalisation: normalisation, row: TableRows(table, bytes).row))
    }
  }

  var state: EventValue {
    path.map { ["name": .string($0)] } ?? .null
  }

  func answer(_ request: ConsoleRequest) async throws -> ConsoleAnswer? { nil }
}
