import DualSendCommandLine
import DualSendCommandTesting
import DualSendCore
import DualSendJourney
import Foundation
import Testing

@testable import DualSendCommands

@Suite("Recorded events of other tools")
struct ForeignShapeTests {
  @Test(
    "are read as legacy events",
    arguments: [
      (
        #"{"type":"track","event":"tap","properties":{"id":1},"userId":"u","timestamp":"2026-01-01T00:00:00.5Z"}"#,
        #"{"name":"tap","parameters":{"id":1},"time":1767225600500,"unitID":"u"}"#
      ),
      (
        #"{"event_type":"tap","event_properties":{"id":1},"device_id":"d","time":5}"#,
        #"{"name":"tap","parameters":{"id":1},"time":5,"unitID":"d"}"#
      ),
      (
        #"{"event":"tap","properties":{"id":1},"distinct_id":"u"}"#,
        #"{"name":"tap","parameters":{"id":1},"unitID":"u"}"#
      ),
      (
        #"{"event_name":"tap","event_timestamp":"1767225600500000","user_pseudo_id":"p","event_params":[{"key":"id","value":{"string_value":null,"int_value":"7"}},{"key":"s","value":{"string_value":"x"}},{"key":"d","value":{"double_value":1.5}},{"key":"none","value":{}}]}"#,
        #"{"name":"tap","parameters":{"d":1.5,"id":7,"s":"x"},"time":1767225600500,"unitID":"p"}"#
      ),
      (
        #"{"eventName":"tap","payload":{"id":1},"eventTime":3,"eventId":"x"}"#,
        #"{"name":"tap","parameters":{"id":1},"time":3}"#
      ),
    ])
  func shapes(line: String, event: String) throws {
    #expect(ForeignShape.read(try JSONReader().value(Array(line.utf8)))?.event.canonicalText == event)
  }

  @Test(
    "are not seen in a legacy event, nor in what is none",
    arguments: [
      #"{"name":"a","event":"b","distinct_id":"u"}"#, #"{"event":"b"}"#, #"{"type":"identify","event":"b"}"#, "[]", "1",
      #"{"event_type":3}"#, #"{"event_name":"a"}"#, #"{"eventName":"a","payload":[]}"#,
    ])
  func others(line: String) throws {
    #expect(ForeignShape.read(try JSONReader().value(Array(line.utf8))) == nil)
  }

  @Test("are read by a verb from lines and from an array, and said")
  func verb() async throws {
    let folder = try TemporaryFiles()
    let line = #"{"type":"track","event":"tap","properties":{"id":1}}"#
    for text in [line + "\n" + line + "\n", "[\n " + line + ",\n " + line + "\n]\n"] {
      let file = try folder.file("events.jsonl", text)
      let recording = RecordingTerminal()
      #expect(await DualSendCommand.run(["specify", "--events", file], on: recording.terminal) == .clean)
      #expect(recording.results.contains(#""tap""#) && recording.diagnostics.contains("1 event specified from 2"))
      #expect(recording.diagnostics.contains("is read as Segment's track calls"))
    }
    let broken = RecordingTerminal()
    let file = try folder.file("broken.jsonl", "[\n " + line + ",\n")
    #expect(await DualSendCommand.run(["specify", "--events", file], on: broken.terminal) == .findings)
  }
}
