import DualSendCodeGeneration
import DualSendCore
import Foundation
import Testing

@Suite("Specifications in the shapes of Parchment's event generator", .timeLimit(.minutes(5)))
struct ParchmentTests {
  private static let own = EventSpecification(events: [
    .init(name: "app.firstLaunch", description: "The app was opened for the first time."),
    .init(
      name: "item.impression",
      description: "An item of the feed was at least half on the screen for a second.",
      parameters: [
        .init(key: "item_id", type: ParameterType(.int), description: "Which item."),
        .init(
          key: "pos", type: ParameterType(.int), isNullable: true,
          description: "The place in the feed, counted from 1.\nAbsent where the feed has no order."),
        .init(key: "is_new", type: ParameterType(.bool)),
      ],
      discussion: "Sent once an item and visit."),
  ])

  @Test(
    "nested lists and a JSON array say what the package's own forms say", arguments: ["parchment", "parchment.json"])
  func same(_ name: String) throws {
    let read = try EventSpecification(contentsOf: Fixture.folder.appendingPathComponent(name))
    #expect(read == Self.own)
    #expect(try EventCodeGenerator().code(for: read).text == EventCodeGenerator().code(for: Self.own).text)
  }

  @Test("one file may describe parameters in both ways")
  func mixed() throws {
    let read = try markdown(
      """
      # e

      ## Parameters

      - `a` (int): First.
        - A list inside its description.
      - b
      \t- type
      \t\t- string[]
      - `c` (bool)
      """)
    #expect(read.events[0].parameters.map { "\($0.key) \($0.type)" } == ["a int", "b string[]", "c bool"])
    #expect(read.events[0].parameters[0].description == "First.\n- A list inside its description.")
  }

  @Test("what does not fit is named with its line and column")
  func places() {
    let error = #expect(throws: DocumentError.self) {
      try markdown(
        """
        # e

        ## Parameters

        - a
          - type
            - integer
          - nulable
            - true
        - b c
          - type
            - int
            - string
        """)
    }
    #expect(
      error?.diagnostics.map { "\($0.place ?? "") \($0.message)" } == [
        "e.md:7:7  e unknown type `integer`",
        "e.md:8:5  e unknown word `nulable`",
        "e.md:10:3  e `b c` is not one word",
        "e.md:13:7  e `type` has two values",
      ])
  }

  @Test("an element of the array is named by its position")
  func elements() {
    let error = #expect(throws: DocumentError.self) {
      try EventSpecification(
        reading: Array(#"[{"name": "e"}, {"name": "f", "properties": [{"name": "a", "type": "integer"}]}]"#.utf8),
        name: "events.json")
    }
    #expect(error?.diagnostics.map(\.place) == ["events.json:1:68  [1].properties[0].type"])
  }
}
