import DualSendCore
import DualSendRemapping
import Foundation
import Testing

@testable import DualSendDrafting

/// Measures drafts by pairs of public plans; see `Fixtures/plans/pairs`.
@Suite("A draft of two public plans", .timeLimit(.minutes(5)))
struct DraftPairsTests {
  struct Pair: Sendable, CustomTestStringConvertible {
    let old, new: String
    var words: String?
    /// The matches that are sure, those that are right, and the wrong ones, of which none is sure.
    let sure, right, wrong: Int

    var testDescription: String { "\(old) to \(new)" + (words == nil ? "" : " with words") }
  }

  static let pairs = [
    Pair(old: "ga4", new: "segment", sure: 0, right: 0, wrong: 0),
    Pair(old: "ga4", new: "segment", words: "words.csv", sure: 0, right: 67, wrong: 0),
    Pair(old: "segment", new: "rudderstack", sure: 154, right: 178, wrong: 0),
    Pair(old: "segment-1", new: "segment", sure: 0, right: 32, wrong: 0),
    Pair(old: "shopify", new: "segment", sure: 3, right: 5, wrong: 1),
  ]

  /// An event, or one of its keys.
  struct Place: Hashable {
    let event, key: String
  }

  private func bytes(_ name: String) throws -> [UInt8] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    return Array(try Data(contentsOf: root.appending(path: "Fixtures/plans/pairs/\(name)")))
  }

  private func draft(_ pair: Pair) throws -> TableDraft {
    let old = try NamedEvents(csv: bytes(pair.old + ".csv"), name: pair.old)
    let new = try NamedEvents(csv: bytes(pair.new + ".csv"), name: pair.new)
    let words = try pair.words.map { try WordList(csv: bytes($0), name: $0) } ?? WordList()
    return TableDraft(old: old, new: new, words: words)
  }

  /// The right matches, written by hand.
  private func truth(_ pair: Pair) throws -> [Place: Place] {
    let sheet = try Sheet(
      bytes("\(pair.old)-\(pair.new).truth.csv"), name: nil, known: ["old event", "old key", "new event", "new key"],
      required: ["old event", "old key", "new event", "new key"])
    return Dictionary(
      uniqueKeysWithValues: sheet.rows.map { row in
        (
          Place(event: row.name("old event"), key: row.name("old key")),
          Place(event: row.name("new event"), key: row.name("new key"))
        )
      })
  }

  /// What the draft says of each name of the old side that it matches, and whether it is sure.
  private func matches(_ draft: TableDraft) -> [Place: (new: Place, isSure: Bool)] {
    var matches: [Place: (new: Place, isSure: Bool)] = [:]
    for event in draft.events {
      guard let naming = event.naming else { continue }
      let newName = event.newName ?? event.name
      matches[Place(event: event.name, key: "")] = (Place(event: newName, key: ""), naming.isSure)
      for row in event.rows {
        for source in row.sources {
          matches[Place(event: event.name, key: source.description)] = (
            Place(event: newName, key: row.target.description), row.finding.isSure
          )
        }
      }
    }
    return matches
  }

  @Test("has no wrong match among the sure ones", arguments: pairs)
  func measured(_ pair: Pair) throws {
    let draft = try draft(pair)
    let (matches, truth) = (matches(draft), try truth(pair))
    let wrong = matches.filter { truth[$0.key] != $0.value.new }
    #expect(wrong.filter(\.value.isSure).isEmpty)
    let (sure, right) = (matches.values.count(where: \.isSure), matches.count - wrong.count)
    #expect(
      sure == pair.sure && right == pair.right && wrong.count == pair.wrong,
      "\(sure) \(right) \(wrong.count) of \(truth.count)")
    #expect(draft.matches.sure == sure && draft.matches.unsure == matches.count - sure)
  }

  @Test("comes back from the review file as it was, and without a warning once it is reviewed", arguments: pairs)
  func review(_ pair: Pair) throws {
    let draft = try draft(pair)
    let file = ReviewFile(draft)
    let imported = try TableImport(Array(file.csv.utf8), name: "review.csv")
    #expect(imported.json == draft.json(commented: false))
    #expect(imported.warnings.count == file.unsureCount)
    let lines = file.csv.split(separator: "\r\n", omittingEmptySubsequences: true)
    let reviewed = lines.map { $0.replacing(",check,", with: ",ok,").replacing(",open,", with: ",ok,") }
    let again = try TableImport(Array(reviewed.joined(separator: "\r\n").utf8), name: "review.csv")
    #expect(again.warnings.isEmpty && again.json == imported.json)
    #expect(try RemappingTable(reading: again.json.canonicalJSON).warnings.isEmpty)
  }
}
