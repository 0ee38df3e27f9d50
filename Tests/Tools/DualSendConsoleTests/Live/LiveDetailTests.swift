import DualSendCore
import DualSendRemapping
import DualSendTesting
import Testing

@testable import DualSendConsole

@Suite("What is shown of one event", .timeLimit(.minutes(5)))
struct LiveDetailTests {
  private static let hostile = "<img src=x onerror=alert(1)>\u{202E}\u{0000}"

  private func pairs() async throws -> LiveComparison {
    let text = """
      {"formatVersion": 1, "events": {"launch": {"name": "open", "add": {"schema": 2},
        "parameters": {"uid": "user", "secret": null, "ms": {"to": "duration", "type": "int"}}}}}
      """
    let pairs = LiveComparison(hasOldLog: true)
    await pairs.setTable(
      LiveTable(try RemappingTable(reading: text.utf8)) { event, origin in
        guard case .row(let source, _) = origin else { return nil }
        return LiveTable.Row(line: 2, text: "\(event) \(source)")
      })
    await pairs.addOld([oldEvent(1, "launch", ["uid": "anna", "secret": "s3cret", "ms": "12", "kept": true])])
    _ = await pairs.addNew([newEvent(1, "open", ["user": "otto", "duration": 12, "schema": 2, "kept": true])])
    return pairs
  }

  @Test("each field of both sides, with the row that made it")
  func fields() async throws {
    let detail = try #require(await pairs().detail(eventID(1), showsValues: true))
    #expect(detail["state"] == "differs")
    #expect(detail["expected"] == ["user": "anna", "duration": 12, "schema": 2, "kept": true])
    guard case .array(let fields)? = detail["fields"] else {
      Issue.record("there are no fields")
      return
    }
    #expect(fields.map { $0["outcome"] } == ["equal", "equal", "equal", "valueChanged", "dropped"])
    #expect(
      fields[3] == [
        "path": "user", "oldPath": "uid", "old": "anna", "expected": "anna", "new": "otto", "outcome": "valueChanged",
        "row": ["line": 2, "text": "launch uid"],
      ])
    #expect(fields[4]["oldPath"] == "secret")
  }

  @Test("no value leaves while values are hidden")
  func hidden() async throws {
    let pairs = try await pairs()
    let shown = try #require(await pairs.detail(eventID(1), showsValues: false)).canonicalText
    for secret in ["anna", "otto", "s3cret", "12,", ":12"] { #expect(!shown.contains(secret)) }
    #expect(shown.contains("‹text, 4 characters›"))
    #expect(shown.contains("‹whole number›"))
    #expect(shown.contains(#""valuesHidden":true"#))
    // Nor can they be found by guessing.
    #expect(await pairs.page(try LiveFilter(["q": "anna"]))["found"] == 0)
  }

  @Test("hostile names come as text in JSON, and nothing else of them is obeyed")
  func hostileNames() async throws {
    let pairs = LiveComparison(hasOldLog: true)
    await pairs.addOld([oldEvent(1, Self.hostile, [Self.hostile: .string(Self.hostile)], unit: Self.hostile)])
    let page = await pairs.page(try LiveFilter([:]))
    let text = page.canonicalText
    #expect(try JSONReader().value(text.utf8) == page)
    #expect(!text.utf8.contains(0))
    guard case .array(let entries)? = page["entries"] else {
      Issue.record("there are no entries")
      return
    }
    #expect(entries.first?["oldName"] == .string(Self.hostile))
  }

  @Test("filters by unit, name, state and text, and pages through what it finds")
  func filter() async throws {
    let pairs = LiveComparison(hasOldLog: true)
    await pairs.addOld(
      (0..<250).map { oldEvent($0, $0.isMultiple(of: 2) ? "Home.View" : "shop.buy", unit: "unit-\($0 % 5)") })
    func found(_ query: [String: String]) async throws -> EventValue? {
      await pairs.page(try LiveFilter(query))["found"]
    }
    #expect(try await found(["unit": "unit-1"]) == 50)
    #expect(try await found(["unit": "unit"]) == 0)
    #expect(try await found(["name": "HOME"]) == 125)
    #expect(try await found(["state": "lost,waiting"]) == 250)
    #expect(try await found(["state": "lost"]) == 0)
    #expect(try await found(["q": "buy", "unit": "unit-1"]) == 25)
    #expect(try await found(["q": eventID(7).description]) == 1)

    var seen: [EventValue] = []
    var query = ["limit": "100"]
    while true {
      let page = await pairs.page(try LiveFilter(query))
      guard case .array(let entries)? = page["entries"] else { break }
      seen += entries
      guard case .int(let next)? = page["next"] else { break }
      query["before"] = String(next)
    }
    #expect(seen.map { $0["sequence"] } == (1...250).reversed().map { .int($0) })
    for wrong in [["limit": "0"], ["limit": "1001"], ["before": "x"]] {
      #expect(throws: ConsoleFailure.self) { try LiveFilter(wrong) }
    }
  }
}
