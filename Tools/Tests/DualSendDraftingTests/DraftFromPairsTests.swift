import DualSend
import DualSendCore
import DualSendParity
import DualSendTables
import Testing

@testable import DualSendDrafting

@Suite("A draft from pairs")
struct DraftFromPairsTests {
  private func draft(_ pairs: [StreamPairs.Pair], perEvent: Int = 1000) -> (draft: TableDraft, sample: PairSample) {
    var sample = PairSample(pairsPerEvent: perEvent)
    for pair in pairs { sample.add(pair) }
    return (TableDraft(sample, confidence: DraftConfidence()), sample)
  }

  private func pair(
    _ old: [String: EventValue], _ new: [String: EventValue], name: String = "tap", newName: String = "tap"
  ) -> StreamPairs.Pair {
    StreamPairs.Pair(oldName: name, old: old, newName: newName, new: new)
  }

  private func rows(_ event: DraftedEvent?) -> [String: EventValue] {
    Dictionary((event?.rows ?? []).map { ($0.source.description, $0.json) }, uniquingKeysWith: { first, _ in first })
  }

  @Test("recovers a random table from the events that went through it", arguments: UInt64(1)...10)
  func recovers(seed: UInt64) throws {
    var migration = TrueMigration(seed: seed)
    let (draft, sample) = draft(try migration.pairs(500))
    let event = try #require(draft.events.first)
    #expect(event.newName == migration.newName)
    for row in event.rows { #expect(migration.isTrue(row), "\(row.deed): \(event.notes)") }
    #expect(event.constants.map(\.target.description).sorted() == migration.constants.keys.sorted())
    let check = try DraftCheck(draft, heldOutOf: sample)
    #expect(check.pairs == 100 && check.equalPairs == 100)
    #expect(check.refuted(DraftConfidence()).isEmpty)
    let table = try draft.table()
    for pair in try migration.pairs(100) {
      #expect(table.apply(to: "tap", payload: pair.old).payload == pair.new, "\(event.notes)")
    }
  }

  @Test("claims nothing wrong where a twentieth of the new events is damaged", arguments: UInt64(1)...10)
  func noise(seed: UInt64) throws {
    var migration = TrueMigration(seed: seed)
    let (draft, _) = draft(try migration.pairs(1000, noise: 0.05))
    let event = try #require(draft.events.first)
    for row in event.rows { #expect(migration.isTrue(row), "\(row.deed): \(event.notes)") }
    for constant in event.constants { #expect(migration.constants[constant.target.description] == constant.value) }
    #expect(rows(event).count >= migration.rows.count - 2, "\(event.notes)")
  }

  @Test("claims nothing wrong of few pairs, whatever it leaves open", arguments: UInt64(1)...10)
  func fewPairs(seed: UInt64) throws {
    for count in [1, 60, 100] {
      var migration = TrueMigration(seed: seed)
      let (draft, _) = draft(try migration.pairs(count))
      for row in draft.events.first?.rows ?? [] { #expect(migration.isTrue(row), "\(count): \(row.deed)") }
    }
  }

  @Test("does not depend on the order of the pairs")
  func order() throws {
    var migration = TrueMigration(seed: 3)
    let pairs = try migration.pairs(400)
    var random = SplitMix64(seed: 9)
    // All pairs are learned from, so that both samples hold the same ones.
    let texts = [pairs, pairs.shuffled(using: &random)].map { pairs in
      let kept = pairs.map { PairSample.Pair(old: $0.old, newName: $0.newName, new: $0.new) }
      var event = DraftedEvent(name: "tap")
      EventLearner(kept, DraftConfidence())?.learn(into: &event)
      return IndentedJSON.text(TableDraft([event]).json())
    }
    #expect(texts[0] == texts[1])
  }

  @Test("leaves open which of two equal old keys a new one comes from, and names both")
  func ambiguous() throws {
    let pairs = (0..<400).map { number in
      pair(["uid": .int(number), "user": .int(number)], ["user_id": .int(number)])
    }
    let event = try #require(draft(pairs).draft.events.first)
    #expect(event.rows.isEmpty)
    #expect(event.open.contains { $0.contains("`uid` or `user`") })
  }

  @Test("tells the right key from one that has the same value nearly always, and takes no chance for evidence")
  func nearlyEqual() throws {
    var random = SplitMix64(seed: 5)
    let pairs = (0..<1000).map { number in
      let flags = (0..<3).map { _ in Int.random(in: 0..<300, using: &random) == 0 }
      let close = number % 20 == 0 ? number + 1 : number
      return pair(
        ["exact": .int(Int64(number)), "close": .int(Int64(close)), "x": .bool(flags[0]), "y": .bool(flags[1])],
        ["number": .int(Int64(number)), "z": .bool(flags[2])])
    }
    let event = try #require(draft(pairs).draft.events.first)
    #expect(rows(event)["exact"] == "number")
    #expect(!event.rows.contains { $0.target?.description == "z" })
  }

  @Test(
    "does not take a moved key for a constant where it is nearly always the same and a hundredth is noise",
    arguments: [(rare: 100, noise: 100), (rare: 100, noise: 0), (rare: 0, noise: 100), (rare: 0, noise: 0)])
  func nearlyConstant(_ shares: (rare: Int64, noise: Int64)) throws {
    let pairs = (0..<Int64(1000)).map { number in
      let plan: EventValue = shares.rare > 0 && number % shares.rare == 0 ? "pro" : "free"
      let isNoise = shares.noise > 0 && number % shares.noise == 50
      return pair(["plan": plan, "n": .int(number)], ["tier": isNoise ? .int(number) : plan, "n": .int(number)])
    }
    let event = try #require(draft(pairs).draft.events.first)
    #expect(event.constants.isEmpty)
    #expect(rows(event)["plan"] != .null)
    #expect(event.open.contains { $0.contains("`tier`") && $0.contains("`plan`") })
  }

  @Test("swaps two keys, and moves a container as one row")
  func swaps() throws {
    let pairs = (0..<300).map { number -> StreamPairs.Pair in
      let context: EventValue = ["screen": .string("s\(number)"), "index": .int(Int64(number * 7 + 1))]
      let (a, b) = (EventValue.int(Int64(number)), EventValue.int(Int64(1000 + number * 3)))
      return pair(["a": a, "b": b, "ctx": context], ["a": b, "b": a, "context": context])
    }
    let event = try #require(draft(pairs).draft.events.first)
    #expect(rows(event) == ["a": "b", "b": "a", "ctx": "context"])
  }

  @Test("does not write a row where a new key copies one that stays")
  func copies() throws {
    let pairs = (0..<300).map { pair(["id": .int($0)], ["id": .int($0), "item": .int($0)]) }
    let event = try #require(draft(pairs).draft.events.first)
    #expect(event.rows.isEmpty)
    #expect(event.open.contains { $0.contains("a row cannot copy") })
  }

  @Test("leaves a name open that most pairs do not agree on, and writes none")
  func names() throws {
    let pairs = (0..<300).map { pair(["id": .int($0)], [:], newName: $0 % 3 == 0 ? "left" : "right") }
    let event = try #require(draft(pairs).draft.events.first)
    #expect(event.newName == nil && event.isNameOpen && event.rows.isEmpty)
    #expect(event.open.first?.contains("`right` in") == true)
  }

  @Test("puts no value into its comments", arguments: UInt64(1)...5)
  func comments(seed: UInt64) throws {
    var migration = TrueMigration(seed: seed)
    let notes = draft(try migration.pairs(400)).draft.events.flatMap(\.notes).joined()
    #expect(!notes.contains("id-") && !notes.contains("sample") && !notes.contains("red"))
  }

  @Test("of keys that no row can name is a table that can be read, and says that there were some")
  func awkwardKeys() throws {
    let keys = ["", "//", "_comment", "a.b", "[]", "\\", "\u{202E}", "é", "e\u{301}", "*"]
    let pairs = (0..<300).map { number in
      let old = keys.enumerated().map { ($0.element, EventValue.int(Int64(number * 100 + $0.offset))) }
      let payload = Dictionary(old, uniquingKeysWith: { first, _ in first })
      return pair(payload, ["all": .object(payload), "a": payload["a.b"] ?? nil], name: "\u{1B}[2J")
    }
    let draft = draft(pairs).draft
    #expect(try draft.table().rules.count == 1)
    #expect(draft.events.first?.open.isEmpty == false)
    #expect(TableDraft([DraftedEvent(name: "//"), DraftedEvent(name: "x*")]).unnamable == ["//", "x*"])
  }
}
