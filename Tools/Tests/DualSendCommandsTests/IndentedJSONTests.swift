@_spi(Tools) import DualSendCore
import Testing

@testable import DualSendCommands

@Suite("A document written for people")
struct IndentedJSONTests {
  private let document: EventValue = [
    "rules": [["match": ["events": ["home.*"]], "name": "home", "new": 5]], "revision": 1, "empty": [:],
    "note": "a \"b\"",
  ]

  @Test("has well-known keys first, the others sorted, and short lists on one line")
  func layout() {
    #expect(
      IndentedJSON.text(document) == """
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

  @Test("is read back as the same value")
  func readBack() throws {
    #expect(try JSONReader().value(IndentedJSON.text(document).utf8) == document)
  }
}
