import DualSendCore
import DualSendRemapping
import Testing

@Suite("Reading a table", .timeLimit(.minutes(5)))
struct TableReadingTests {
  @Test("a target written twice is shown with its place, the other row and the way out")
  func wording() throws {
    let text = """
      {
        "formatVersion": 1,
        "events": {
          "home.like_button.tap": {
            "parameters": {
              "item_id": "new_item_id",
              "sku": "new_item_id"
            }
          }
        }
      }
      """
    let error = #expect(throws: DocumentError.self) { try table(text) }
    #expect(
      error?.description == """
        error[DS0103]: two rows write `new_item_id`
          --> remapping.json:7:9  events."home.like_button.tap".parameters.sku
           = note: `item_id` (line 6) already writes it
           = help: rename one of them
        """)
  }

  @Test("all faults of a table are found in one run, in the order of the text")
  func allFaults() {
    let text = #"""
      {"formatVersion": 1, "event": {}, "events": {
        "a": {"parameters": {"x": "y", "z": "y"}, "unmapped": "kep"},
        "b": {"parameters": {"x": {"to": "y", "type": "integer"}, "q..": "r"}}}}
      """#
    #expect(codes(text) == ["DS0003", "DS0103", "DS0109", "DS0106", "DS0101"])
  }

  @Test("a wildcard row is named in the note when an own row writes its target")
  func wildcardNote() throws {
    let text = #"{"formatVersion":1,"events":{"*":{"parameters":{"uid":"id"}},"e":{"add":{"id":1}}}}"#
    let error = #expect(throws: DocumentError.self) { try table(text) }
    #expect(error?.diagnostics.first?.notes == ["`uid` of `*` (line 1) already writes it"])
  }

  @Test("a fault among wildcard rows is reported once, however many events inherit them")
  func wildcardFaultOnce() {
    let text = #"{"formatVersion":1,"events":{"*":{"parameters":{"a":"c","b":"c"}},"e":{},"f":{}}}"#
    #expect(codes(text) == ["DS0103"])
  }

  @Test(
    "a misspelt key, type or word is answered with the nearest known one",
    arguments: [
      (#"{"parameter": {}}"#, "did you mean `parameters`?"),
      (#"{"parameters": {"a": {"to": "b", "type": "strin"}}}"#, "did you mean `string`?"),
      (#"{"unmapped": "kepe"}"#, "did you mean `keep`?"),
    ])
  func nearest(entry: String, help: String) throws {
    let error = #expect(throws: DocumentError.self) { try table(forEvent: entry) }
    #expect(error?.diagnostics.first?.help?.hasPrefix(help) == true)
  }

  @Test("a plain row onto itself is a warning where it changes nothing")
  func idleRow() throws {
    #expect(codes(#"{"formatVersion":1,"events":{"e":{"parameters":{"a":"a"}}}}"#) == ["DS0112"])
  }

  @Test(
    "a plain row onto itself is no warning where it has an effect",
    arguments: [
      #"{"e":{"parameters":{"a":"a"},"unmapped":"drop"}}"#,
      #"{"*":{"parameters":{"a":"b"}},"e":{"parameters":{"a":"a"}}}"#,
    ])
  func usefulIdentity(events: String) {
    #expect(codes(#"{"formatVersion":1,"events":\#(events)}"#).isEmpty)
  }
}
