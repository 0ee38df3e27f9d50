import DualSend
import DualSendCodeGeneration
import DualSendCore
import Testing

@Suite("A drafted specification", .timeLimit(.minutes(5)))
struct DraftTests {
  private func draft(
    closedValues: Int = 0, _ payloads: [String: EventValue]...
  ) -> (specification: EventSpecification, findings: [DocumentDiagnostic]) {
    var draft = EventSpecificationDraft(closedValuesLimit: closedValues)
    for payload in payloads { draft.add(name: "e", parameters: payload) }
    return draft.finished()
  }

  private func types(_ specification: EventSpecification) -> [String] {
    specification.events.flatMap(\.parameters).map { "\($0.key) \($0.type)\($0.isNullable ? "?" : "")" }
  }

  @Test("has the types that were seen, nullable where one was absent or null")
  func types() {
    let (drafted, findings) = draft(
      ["a": 1, "b": "x", "c": 1, "d": [1, 2.5], "e": [:], "f": [], "g": true],
      ["a": 2, "b": nil, "c": 2.5, "d": [], "e": [:], "f": ["x"], "h": [[:]]])
    #expect(
      types(drafted) == [
        "a int", "b string?", "c double", "d double[]", "e object", "f string[]", "g bool?", "h object[]?",
      ])
    #expect(findings.isEmpty)
  }

  @Test("says what examples leave open, without a value of theirs")
  func undecided() {
    let (drafted, findings) = draft(["a": "secret", "b": nil, "c": [["secret"]]], ["a": "secret2"], ["a": 7])
    #expect(types(drafted) == ["a string"])
    #expect(
      findings.map(\.message) == [
        "`a` of `e` has values of several types: int (1), string (2); drafted as string",
        "`b` of `e` is left out: no value has a type that a specification can describe; seen: null (1)",
        "`c` of `e` is left out: no value has a type that a specification can describe; seen: array (1)",
      ])
    #expect(!drafted.json.contains("secret"))
  }

  @Test("closes a list only if asked, and only if its values repeat themselves")
  func closedValues() {
    let payloads: [[String: EventValue]] = [
      ["a": "x", "b": 1], ["a": "y", "b": 2], ["a": "x", "b": 3], ["a": "y", "b": 4],
    ]
    for limit in [0, 1, 2, 4] {
      var draft = EventSpecificationDraft(closedValuesLimit: limit)
      for payload in payloads { draft.add(name: "e", parameters: payload) }
      let parameters = draft.finished().specification.events.flatMap(\.parameters)
      #expect(parameters.first?.values == (limit >= 2 ? ["x", "y"] : []))
      #expect(parameters.last?.values == [])
    }
  }

  @Test("gives names that would become one identifier numbers, so that code can be generated")
  func identifiers() throws {
    var draft = EventSpecificationDraft()
    for name in ["a.b", "a_b", "aB2", "", "a b"] { draft.add(name: name, parameters: ["x.y": 1, "x_y": 2, "xY2": 3]) }
    let (drafted, findings) = draft.finished()
    #expect(drafted.events.map(\.swiftName) == [nil, nil, "AB3", nil] || drafted.events.count == 4)
    #expect(findings.count == 1)
    #expect(try EventCodeGenerator().code(for: drafted).files.count == 4)
    #expect(try EventSpecification(reading: drafted.json.utf8) == drafted)
  }

  @Test("comes back from the events that it was generated for")
  func roundTrip() throws {
    var draft = EventSpecificationDraft(closedValuesLimit: 2)
    for (item, (liked, pos)) in [(HomeLikeButtonTap.Liked._0, nil), (._1, "1"), (._0, "2"), (._1, "3")].enumerated() {
      let event = HomeLikeButtonTap(itemID: item, liked: liked, pos: pos, uid: "u\(pos ?? "")")
      draft.add(name: event.name, parameters: event.parameters)
    }
    var shop = try EventSpecification(reading: Fixture.bytes("shop.json")).events
    shop.removeAll { $0.name != "home.like_button.tap" }
    for index in shop.indices {
      (shop[index].description, shop[index].discussion) = ("", "")
      for parameter in shop[index].parameters.indices { shop[index].parameters[parameter].description = "" }
    }
    #expect(draft.finished().specification == EventSpecification(events: shop))
  }
}
