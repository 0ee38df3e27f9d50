import DualSendRemapping
import DualSendSource
import DualSendTables
import Foundation
import SwiftParser
import SwiftSyntax
import Testing

/// `DUALSEND_MUTANTS=2000 DUALSEND_MUTANT_SEED=1` for longer runs; a crash is that of the seed printed last.
@Suite("Sources that are broken at random", .timeLimit(.minutes(5)))
struct MutantTests {
  private static func number(_ name: String) -> UInt64? {
    ProcessInfo.processInfo.environment[name].flatMap(UInt64.init)
  }
  private static let first = number("DUALSEND_MUTANT_SEED") ?? 1
  private static let seeds = first..<first + (number("DUALSEND_MUTANTS") ?? 20)
  private static let isPrinting = number("DUALSEND_MUTANTS") != nil

  /// No mutant is worth more, without optimization on a busy machine.
  private static let limit = Duration.seconds(60)

  @Test("are read as far as they are Swift", arguments: seeds)
  func mutant(seed: UInt64) throws {
    if Self.isPrinting { FileHandle.standardError.write(Data("mutant \(seed)\n".utf8)) }
    let mutant = Mutant(seed: seed)
    let texts = SourceTexts(mutant.files)
    let table = try RemappingTable(reading: Mutant.newsstandTable(), name: nil)
    let start = ContinuousClock.now

    let found = SourceInventory(texts, threads: 1)
    let broken = mutant.files.filter { !isSwift($0.text) }.map(\.path)
    #expect(found.skipped.map(\.file) == broken.sorted(), "seed \(seed)")
    let skipped = Set(found.skipped.map(\.file))
    #expect(found.inventory.callSites.allSatisfy { !skipped.contains($0.file) }, "seed \(seed)")

    let list = RenamingList(found.inventory.callSites, table, TablePlaces([]))
    #expect(list.places.count == found.inventory.callSites.count, "seed \(seed)")
    #expect(ContinuousClock.now - start < Self.limit, "seed \(seed)")
  }

  private func isSwift(_ text: String) -> Bool { !Parser.parse(source: text).hasError }
}
