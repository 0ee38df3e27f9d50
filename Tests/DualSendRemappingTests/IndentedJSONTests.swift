import DualSendCore
import DualSendTables
import Testing

@Suite("A document written for people", .timeLimit(.minutes(5)))
struct IndentedJSONTests {
  private let document: EventValue = [
    "rules": [["match": ["events": ["home.*"]], "name": "home", "new": 5]], "revision": 1, "empty": [:],
    "note": "a \"b\"",
  ]

  private func text(_ value: EventValue) -> String {
    IndentedJSON.text(value, lineLength: 100, firstKeys: ["revision", "name", "match"])
  }

  @Test("has well-known keys first, the others sorted, and short lists on one line")
  func layout() {
    #expect(
      text(document) == """
        {
          "revision": 1,
          "empty": {},
          "note": "a \\"b\\"",
          "rules": [
            {
              "name": "home",
              "match": { "events": ["home.*"] },
              "new": 5
            }
          ]
        }

        """)
  }

  @Test("has one member a line where members are given in their order")
  func ordered() {
    #expect(
      IndentedJSON.text([("z", ["b": 1, "a": [[]]]), ("y", .null)]) == """
        {
          "z": {
            "a": [
              []
            ],
            "b": 1
          },
          "y": null
        }

        """)
  }

  @Test("is read back as the same value")
  func readBack() throws {
    #expect(try JSONReader().value(text(document).utf8) == document)
  }
}
