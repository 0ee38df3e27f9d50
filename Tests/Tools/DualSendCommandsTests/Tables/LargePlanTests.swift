import DualSendCommandLine
import DualSendCommandTesting
import DualSendCore
import Foundation
import Testing

/// The shape of a plan that a team has had for years: 564 events and 4,856 keys, of which 123 are another spelling of a key
/// beside them.
@Suite("A plan of 564 events, 4,856 keys and 123 forks", .timeLimit(.minutes(5)))
struct LargePlanTests {
  private static let eventCount = 564
  private static let keyCount = 4856
  private static let forkCount = 123

  /// A key as the old app spells it, and the plan's name for it.
  private struct Key {
    let old, new: String
    let type: String

    var value: EventValue {
      switch type {
      case "integer": 1
      case "number": 1.5
      case "boolean": true
      default: "x"
      }
    }
  }

  private static let nouns = [
    "account", "banner", "cart", "course", "feed", "message", "order", "playlist", "review", "video",
  ]
  private static let attributes = [
    "id", "title", "position", "price", "locale", "source", "is_new", "step_count", "kind",
  ]
  private static let types = ["string", "integer", "number", "boolean"]

  /// The events, by old name.
  private static let events: [(old: String, new: String, keys: [Key])] = (0..<eventCount).map { number in
    let noun = nouns[number % nouns.count]
    let base = (keyCount - forkCount) / eventCount + (number < (keyCount - forkCount) % eventCount ? 1 : 0)
    var keys = (0..<base).map { place in
      let words = [nouns[(number + place) % nouns.count], attributes[place % attributes.count]]
      let new = words.joined(separator: "_")
      return Key(old: camelCase(new), new: new, type: types[place % types.count])
    }
    if number < forkCount {
      keys.append(Key(old: keys[0].new.replacing("_", with: " "), new: keys[0].new, type: keys[0].type))
    }
    return ("\(noun)_\(number)_shown", "\(noun.capitalized) \(number) Shown", keys)
  }

  private static func camelCase(_ name: String) -> String {
    let words = name.split(separator: "_").map(String.init)
    return words[0] + words.dropFirst().map(\.capitalized).joined()
  }

  private let folder: TemporaryFiles

  init() throws {
    folder = try TemporaryFiles()
  }

  private func sheet(isReviewed: Bool) -> String {
    var lines = ["Old event,Old property,New event,New property" + (isReviewed ? ",Action" : "")]
    for event in Self.events {
      var seen: Set<String> = []
      for key in event.keys {
        let action = seen.insert(key.new).inserted ? "move" : "or"
        lines.append("\(event.old),\(key.old),\(event.new),\(key.new)" + (isReviewed ? "," + action : ""))
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func recording() throws -> String {
    let lines = Self.events.map { event in
      let parameters = event.keys.map { ($0.old, $0.value) }
      return EventValue.object([
        "name": .string(event.old), "parameters": .object(Dictionary(uniqueKeysWithValues: parameters)),
      ]).canonicalText
    }
    return try folder.file("old.jsonl", lines.joined(separator: "\n") + "\n")
  }

  @Test("has the shape")
  func shape() {
    #expect(Self.events.count == 564 && Self.events.reduce(0) { $0 + $1.keys.count } == 4856)
    #expect(Self.events.count { Set($0.keys.map(\.new)).count < $0.keys.count } == 123)
    #expect(Set(Self.events.map(\.old)).count == 564)
  }

  @Test("is imported as a sheet with one line for each fork, and covers, remaps and generates without a finding")
  func sheet() async throws {
    let first = await dualsend("table", "import", try folder.file("plan.csv", sheet(isReviewed: false)))
    #expect(first.status == .findings)
    #expect(
      first.terminal.diagnostics.contains("warning[DS1207]") && first.terminal.diagnostics.contains("and 122 more:"))
    #expect(!first.terminal.diagnostics.contains("error"))

    let reviewed = await dualsend("table", "import", try folder.file("plan.csv", sheet(isReviewed: true)))
    #expect(reviewed.status == .clean)
    #expect(!reviewed.terminal.diagnostics.contains("warning"))
    let table = try folder.file("remapping.json", reviewed.terminal.results)
    let old = try recording()
    let coverage = await dualsend("table", "coverage", table, "--events", old, "--strict")
    #expect(coverage.status == .clean)
    #expect(coverage.terminal.results.contains("4,856 of 4,856 rows fired, 564 of 564 events"))
    let remapped = await dualsend("remap", table, "--events", old)
    #expect(remapped.status == .clean)
    #expect(remapped.terminal.diagnostics.contains("564 events remapped, 0 lines skipped; 0 clashed"))
    let new = try folder.file("new.jsonl", remapped.terminal.results)
    let specification = folder.path("events.json")
    #expect(await dualsend("specify", "--events", new, "--output", specification).status == .clean)
    #expect(
      await dualsend("generate", "--spec", specification, "--output", folder.path("Events.swift")).status == .clean)
  }

  @Test("is a specification as a tracking plan, with one line for each key that is left out")
  func plan() async throws {
    let events = Self.events.map { event in
      let keys = event.keys.map { ($0.old, EventValue.object(["type": [.string($0.type)]])) }
      let properties: EventValue = ["properties": .object(Dictionary(uniqueKeysWithValues: keys))]
      return EventValue.object(["name": .string(event.old), "rules": ["properties": ["properties": properties]]])
    }
    let text = EventValue.object(["rules": ["events": .array(events)]]).canonicalText
    let specification = folder.path("events.json")
    let specified = await dualsend("specify", "--plan", try folder.file("plan.json", text), "--output", specification)
    #expect(specified.status == .findings)
    #expect(
      specified.terminal.diagnostics.contains(
        "`account id` of `account_0_shown` is left out: in Swift it is `accountId`"))
    #expect(specified.terminal.diagnostics.contains("and 122 more:"))
    #expect(!specified.terminal.diagnostics.contains("error"))
    #expect(
      await dualsend("generate", "--spec", specification, "--output", folder.path("Events.swift")).status == .clean)
  }

  @Test("is drafted from both sides: all but the forks is sure")
  func draft() async throws {
    let names = Self.events.flatMap { event in Set(event.keys.map(\.new)).map { "\(event.new),\($0)" } }
    let plan = try folder.file("names.csv", "event,key\n" + names.joined(separator: "\n") + "\n")
    let review = folder.path("review.csv")
    let drafted = await dualsend("table", "draft", "--old", try recording(), "--names", plan, "--review", review)
    #expect(drafted.status == .clean)
    #expect(drafted.terminal.results == "5,420 lines written, 246 to check\n")
    let imported = await dualsend("table", "import", review)
    #expect(imported.terminal.diagnostics.contains("and 245 more:"))
  }
}
