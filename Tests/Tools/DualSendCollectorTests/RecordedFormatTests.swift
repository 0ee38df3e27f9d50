import DualSendCommandLine
import DualSendCore
import DualSendTracking
import DualSendWireFormats
import Foundation
import Testing

@testable import DualSendCollector

@Suite("A file of requests, or of events as requests hold them", .timeLimit(.minutes(5)))
struct RecordedFormatTests {
  private static let id = "018bcfe5-6800-7000-8000-000000000000"

  /// One event as it stands in a request, and a request that holds it.
  static let streams: [(CollectorFormat, event: String, request: @Sendable (String) -> String)] = [
    (.dualsend, #"{"eventId":"\#(id)","eventName":"a","eventTime":1,"payload":{"n":1}}"#, { "[\($0)]" }),
    (
      .segment,
      #"{"type":"track","event":"a","messageId":"\#(id)","userId":"u","timestamp":"1970-01-01T00:00:00.001Z","properties":{"n":1}}"#,
      { #"{"batch":[\#($0)],"sentAt":"2025-06-01T12:00:00Z"}"# }
    ),
    (
      .amplitude, #"{"event_type":"a","insert_id":"\#(id)","user_id":"user-1","time":1,"event_properties":{"n":1}}"#,
      { #"{"api_key":"k","events":[\#($0)]}"# }
    ),
    (
      .posthog,
      #"{"event":"a","uuid":"\#(id)","distinct_id":"u","timestamp":"1970-01-01T00:00:00.001Z","properties":{"n":1,"$lib":"posthog-ios","$session_id":"s"}}"#,
      { #"{"api_key":"k","batch":[\#($0)]}"# }
    ),
    (
      .otlp,
      #"{"eventName":"a","timeUnixNano":"1000000","attributes":[{"key":"n","value":{"intValue":"1"}},{"key":"log.record.uid","value":{"stringValue":"\#(id)"}}]}"#,
      { #"{"resourceLogs":[{"scopeLogs":[{"logRecords":[\#($0)]}]}]}"# }
    ),
    (
      .cloudevents,
      #"{"specversion":"1.0","id":"\#(id)","source":"s","type":"a","time":"1970-01-01T00:00:00.001Z","data":{"n":1}}"#,
      { "[\($0)]" }
    ),
  ]

  @Test("leaves an app's own parameters where a client or the tracker's format may write too")
  func ownParameters() throws {
    let payload: EventValue = [
      "$session_id": "the app's", "$lib": "2.1", "session_id": "s", "session.id": "its own", "user.id": "someone",
      "user_id": "u", "log.record.uid": "one more", "n": 1, "device.id": "its device", "parameter.user.id": "marked",
      "parameter.parameter.user.id": 2, "parameter.session.id": "marked too", "parameter.n": 3,
    ]
    let line: EventValue = ["eventId": .string(Self.id), "eventName": "a", "eventTime": 1, "payload": payload]
    for (format, made) in [
      (CollectorFormat.posthog, PostHogFormat.postHog(apiKey: "k") as any WireFormat),
      (.otlp, OTLPLogsFormat(serviceName: "shop")),
    ] {
      let event = try #require(TrackingEvent(wireElement: line))
      let request = made.request(for: [TrackingData(event)], sentAt: 1)
      #expect(try convert(String(decoding: request.body, as: UTF8.self), format) == line.canonicalText + "\n")
    }
  }

  private func convert(_ lines: String, _ format: CollectorFormat) throws -> String {
    try read(lines, .collector(format), as: .wire).lines.map { $0 + "\n" }.joined()
  }

  /// The lines of our own form, and what cannot be read.
  private func read(
    _ text: String, _ format: RecordedFormat?, as own: RecordedFormat.Own
  ) throws -> (lines: [String], faults: [(line: Int, fault: RecordedFault)], format: String?) {
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    try pipe.fileHandleForWriting.close()
    var reader = RecordingReader(pipe.fileHandleForReading, RecordedFormat.lines(format, as: own))
    var lines: [String] = []
    var faults: [(line: Int, fault: RecordedFault)] = []
    reader.forEach { event in
      switch event.line {
      case .success(let line): if !line.isEmpty { lines.append(String(decoding: line, as: UTF8.self)) }
      case .failure(let fault): faults.append((event.number, fault))
      }
    }
    return (lines, faults, reader.decoder?.name)
  }

  @Test("becomes the lines that a collector stores", arguments: streams.indices)
  func converts(_ index: Int) throws {
    let (format, event, request) = Self.streams[index]
    let line = #"{"eventId":"\#(Self.id)","eventName":"a","eventTime":1,"payload":{"n":1}}"# + "\n"
    #expect(try convert(event + "\n\n" + request(event + "," + event) + "\n", format) == line + line + line)
  }

  @Test("is read without the events and lines that cannot be, each told with its number and place")
  func broken() throws {
    let event = Self.streams[1].event
    let lines = [
      Self.streams[1].request(event), #"{"batch":[{"type":"track","userId":"u"},\#(event)]}"#, "{\"batch\":", event,
    ]
    let read = try read(lines.joined(separator: "\n"), .collector(.segment), as: .wire)
    #expect(read.lines.count == 3)
    #expect(read.faults.map(\.line) == [2, 3])
    #expect(read.faults.first?.fault.description == "batch[0].event is missing")
  }

  @Test("keeps an id that is no UUID the same wherever it is read")
  func foreignID() throws {
    let event = #"{"specversion":"1.0","id":"order-7","source":"s","type":"a","time":"1970-01-01T00:00:00.001Z"}"#
    let line = try convert(event, .cloudevents)
    #expect(try line == convert("[\(event)]", .cloudevents))
    #expect(line.contains(#""eventId":"order-7""#))
  }

  @Test(
    "is recognised by its first lines, also in an array, and written as either side has it", arguments: streams.indices)
  func recognised(_ index: Int) throws {
    let (format, event, request) = Self.streams[index]
    let unit = ["segment": "u", "amplitude": "user-1", "posthog": "u"][format.rawValue]
    var legacy = #"{"eventId":"\#(Self.id)","name":"a","parameters":{"n":1},"time":1"#
    if let unit { legacy += #","unitID":"\#(unit)""# }
    for text in [event + "\n" + event, request(event) + "\n" + request(event), "[\n\(event),\n \(event)]\n"] {
      let read = try read(text, nil, as: .legacy)
      #expect(read.lines == [legacy + "}", legacy + "}"])
      #expect(read.format == format.rawValue && read.faults.isEmpty)
    }
  }

  @Test("is our own if nothing else is unmistakable")
  func own() throws {
    let legacy = #"{"name":"a","parameters":{"n":1}}"#
    let track = Self.streams[1].event
    for text in [legacy, "", #"{"event":"b"}"#, #"{"type":"click"}"#, "1", "{", legacy + "\n" + track] {
      let read = try read(text, nil, as: .legacy)
      #expect(read.format == nil)
      #expect(read.lines == (text.isEmpty ? [] : text.components(separatedBy: "\n")))
    }
    let wire = Self.streams[0].event
    #expect(try read(wire, nil, as: .wire).format == nil)
    #expect(try read(wire, nil, as: .legacy).format == "dualsend")
    #expect(try read(legacy, nil, as: .wire).format == "legacy")
  }

  @Test("leaves out calls of Segment that are no events, and says which")
  func otherCalls() throws {
    let page = #"{"type":"page","name":"Home","userId":"u","properties":{}}"#
    let read = try read(page + "\n" + Self.streams[1].event, nil, as: .legacy)
    #expect(read.lines.count == 1)
    #expect(read.faults.map(\.fault.otherCall) == ["page"])
  }

  @Test(
    "has what exports have besides",
    arguments: [
      (
        #"{"event_name":"tap","event_timestamp":"1767225600500000","user_pseudo_id":"p","event_params":[{"key":"id","value":{"string_value":null,"int_value":"7"}},{"key":"s","value":{"string_value":"x"}},{"key":"d","value":{"double_value":1.5}},{"key":"f","value":{"double_value":null,"float_value":2.5}},{"key":"none","value":{}}]}"#,
        #"{"name":"tap","parameters":{"d":1.5,"f":2.5,"id":7,"s":"x"},"time":1767225600500,"unitID":"p"}"#
      ),
      (
        #"{"event_name":"buy","event_params":[],"items":[{"item_id":"a","item_brand":"(not set)","item_name":null,"item_params":[{"key":"shelf","value":{"int_value":"3"}}]}]}"#,
        #"{"name":"buy","parameters":{"items":[{"item_id":"a","shelf":3}]}}"#
      ),
      (
        #"{"event_type":"tap","event_time":"2026-01-01 00:00:00.500000","$insert_id":"i","event_properties":{"id":1},"device_id":"d"}"#,
        #"{"eventId":"i","name":"tap","parameters":{"id":1},"time":1767225600500,"unitID":"d"}"#
      ),
      (
        #"{"event":"tap","properties":{"id":1,"dual_send":"3:both"},"distinct_id":"u"}"#,
        #"{"decision":"3:both","name":"tap","parameters":{"id":1},"unitID":"u"}"#
      ),
    ])
  func exports(line: String, legacy: String) throws {
    #expect(try read(line, nil, as: .legacy).lines == [legacy])
  }

  // MARK: - Snowplow

  private func row(_ fields: [String: String]) -> String {
    SnowplowRow.fields.map { fields[$0] ?? "" }.joined(separator: "\t")
  }

  @Test("of Snowplow has the fields of its documentation, and the data of self-describing events")
  func snowplow() throws {
    #expect(SnowplowRow.fields.count == 131)
    #expect(SnowplowRow.fields.firstIndex(of: "unstruct_event") == 58)
    let common = [
      "event_id": Self.id, "derived_tstamp": "2026-01-01 00:00:00.500", "domain_userid": "d", "geo_city": "Oslo",
      "se_action": "other", "page_url": "https://shop.example/",
    ]
    let own = row(
      common.merging([
        "event": "unstruct", "event_name": "tap",
        "unstruct_event":
          #"{"schema":"iglu:com.snowplowanalytics.snowplow/unstruct_event/jsonschema/1-0-0","data":{"schema":"iglu:com.shop/tap/jsonschema/1-0-0","data":{"id":7}}}"#,
      ]) { $1 })
    let view = row(common.merging(["event": "page_view", "event_name": "page_view"]) { $1 })
    let ping = row(common.merging(["event": "struct", "event_name": "event", "se_value": "1.5"]) { $1 })
    let read = try read([own, view, ping].joined(separator: "\n"), nil, as: .legacy)
    #expect(read.format == "snowplow" && read.faults.isEmpty)
    let tail = #""time":1767225600500,"unitID":"d"}"#
    #expect(
      read.lines == [
        #"{"eventId":"\#(Self.id)","name":"tap","parameters":{"id":7},"# + tail,
        #"{"eventId":"\#(Self.id)","name":"page_view","parameters":{"page_url":"https://shop.example/"},"# + tail,
        #"{"eventId":"\#(Self.id)","name":"event","parameters":{"se_action":"other","se_value":1.5},"# + tail,
      ])
  }

  @Test("of Snowplow says what a line lacks")
  func snowplowFaults() throws {
    let lines = ["a\tb", row(["event": "unstruct"]), row(["event": "odd"]), row(["app_id": "a"])]
    let faults = try read(lines.joined(separator: "\n"), .snowplow, as: .wire).faults.map(\.fault.description)
    #expect(
      faults == [
        "it has 2 fields, not 131", "the field `unstruct_event` holds no self-describing event",
        "the type of event `odd` is not known", "the field `event` is empty",
      ])
  }
}
