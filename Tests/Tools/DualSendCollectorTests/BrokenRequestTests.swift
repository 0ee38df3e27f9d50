import DualSendCollector
import DualSendCore
import Testing

@Suite("A request that is not what its format demands", .timeLimit(.minutes(5)))
struct BrokenRequestTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let format: CollectorFormat
    let body: String
    let status: Int
    let place: String

    init(_ format: CollectorFormat, _ body: String, _ place: String, status: Int = 400) {
      (self.format, self.body, self.place, self.status) = (format, body, place, status)
    }

    var testDescription: String { "\(format): \(place)" }
  }

  private static let segmentEvent =
    #"{"type":"track","event":"a","messageId":"m","userId":"u","timestamp":"2025-06-01T12:00:00Z","properties":{}}"#
  private static let amplitudeEvent =
    #"{"event_type":"a","insert_id":"i","user_id":"user-1","time":1,"event_properties":{}}"#
  private static let postHogEvent =
    #"{"event":"a","uuid":"018bcfe5-6800-7000-8000-000000000000","distinct_id":"u","timestamp":"2025-06-01T12:00:00Z"}"#
  private static let cloudEvent =
    #"{"specversion":"1.0","id":"i","source":"s","type":"a","time":"2025-06-01T12:00:00Z","data":{}}"#

  private static func segment(_ event: String) -> String { #"{"writeKey":"k","batch":[\#(segmentEvent),\#(event)]}"# }
  private static func amplitude(_ event: String) -> String {
    #"{"api_key":"k","events":[\#(amplitudeEvent),\#(event)]}"#
  }
  private static func postHog(_ event: String) -> String { #"{"api_key":"k","batch":[\#(postHogEvent),\#(event)]}"# }
  private static func cloudEvents(_ event: String) -> String { "[\(cloudEvent),\(event)]" }
  private static func otlp(_ record: String) -> String {
    #"{"resourceLogs":[{"scopeLogs":[{"logRecords":[\#(record)]}]}]}"#
  }
  private static func otlpValue(_ value: String) -> String {
    otlp(#"{"eventName":"a","attributes":[{"key":"k","value":\#(value)}]}"#)
  }

  static let rows =
    CollectorFormat.allCases.map { Row($0, "[1,}", "line 1, column 4 is not JSON") } + [
      Row(.dualsend, "{}", "the body is not an array"),
      Row(.sample, "{}", "the body is not an array"),
      Row(
        .sample, #"[{"eventId":"a","eventTime":1,"payload":{}},{"eventId":"a","payload":{}}]"#,
        "[1].eventTime is missing"),
      Row(.sample, #"[{"eventId":"","eventTime":1,"payload":{}}]"#, "[0].eventId is empty"),
      Row(.sample, #"[{"eventId":"a","eventName":"a","eventTime":1,"payload":{}}]"#, "[0].eventName is not known here"),

      Row(.segment, #"{"writeKey":"k"}"#, "batch is missing"),
      Row(.segment, #"{"batch":[]}"#, "writeKey is missing, and so is an authorization", status: 401),
      Row(.segment, segment("1"), "batch[1] is not an object"),
      Row(.segment, segment(#"{"type":"track","userId":"u"}"#), "batch[1].event is missing"),
      Row(
        .segment, segment(#"{"type":"track","event":"a","userId":null}"#),
        "batch[1].userId is missing, and so is anonymousId"),
      Row(.segment, segment(#"{"type":"track","event":"a","userId":7}"#), "batch[1].userId is not a string"),
      Row(.segment, segment(#"{"type":"screen","name":"a","userId":"u"}"#), "batch[1].type is not `track`"),
      Row(
        .segment, segment(#"{"type":"track","event":"a","userId":"u","timestamp":"yesterday"}"#),
        "batch[1].timestamp is not an RFC 3339 time"),
      Row(
        .segment, segment(#"{"type":"track","event":"a","userId":"u","properties":[]}"#),
        "batch[1].properties is not an object"),
      Row(
        .segment,
        segment(
          #"{"type":"track","event":"a","userId":"u","properties":{"x":"\#(String(repeating: "x", count: 33_000))"}}"#),
        "batch[1] is longer than 32768 bytes"),

      Row(.amplitude, #"{"events":[]}"#, "api_key is missing"),
      Row(.amplitude, #"{"api_key":"k","events":{}}"#, "events is not an array"),
      Row(.amplitude, amplitude(#"{"user_id":"user-1"}"#), "events[1].event_type is missing"),
      Row(.amplitude, amplitude(#"{"event_type":"a"}"#), "events[1].device_id is missing, and so is user_id"),
      Row(
        .amplitude, amplitude(#"{"event_type":"a","user_id":"u"}"#), "events[1].user_id is shorter than 5 characters"),
      Row(
        .amplitude, amplitude(#"{"event_type":"a","user_id":"user-1","time":"1"}"#), "events[1].time is not an integer"),
      Row(
        .amplitude,
        #"{"api_key":"k","events":[\#(Array(repeating: amplitudeEvent, count: 2000).joined(separator: ","))]}"#,
        "the body has more than 1,999 events", status: 413),

      Row(.posthog, #"{"batch":[]}"#, "api_key is missing", status: 401),
      Row(.posthog, postHog(#"{"event":"a"}"#), "batch[1].distinct_id is missing"),
      Row(.posthog, postHog(#"{"event":"","distinct_id":"u"}"#), "batch[1].event is empty"),
      Row(.posthog, postHog(#"{"event":"a","distinct_id":"u","uuid":"7"}"#), "batch[1].uuid is not a UUID"),
      Row(.posthog, postHog(#"{"event":"a","distinct_id":"u","timestamp":1}"#), "batch[1].timestamp is not a string"),

      Row(.otlp, #"{"resource_logs":[]}"#, "resource_logs is not known here"),
      Row(.otlp, otlpValue(#"{"intValue":"1.5"}"#), "attributes[0].value.intValue is not an integer"),
      Row(.otlp, otlpValue(#"{"stringValue":1}"#), "attributes[0].value.stringValue is not a value of that type"),
      Row(.otlp, otlpValue(#"{"stringValue":"x","intValue":"1"}"#), "attributes[0].value has several values"),

      Row(.cloudevents, cloudEvents(#"{"specversion":"0.3"}"#), "[1].specversion is not 1.0"),
      Row(.cloudevents, cloudEvents(#"{"specversion":"1.0","type":"a","id":"i"}"#), "[1].source is missing"),
      Row(
        .cloudevents, cloudEvents(#"{"specversion":"1.0","type":"a","id":"i","source":"s","session_id":"x"}"#),
        "[1].session_id has a name with other characters"),
      Row(
        .cloudevents, cloudEvents(#"{"specversion":"1.0","type":"a","id":"i","source":"s","number":1.5}"#),
        "[1].number is not a boolean, an integer of 32 bits or a string"),
      Row(
        .cloudevents, cloudEvents(#"{"specversion":"1.0","type":"a","id":"i","source":"s","data":1}"#),
        "[1].data is not an object"),
    ]

  private static func headers(_ format: CollectorFormat) -> [String: String] {
    ["Content-Type": format == .cloudevents ? "application/cloudevents-batch+json; charset=UTF-8" : "application/json"]
  }

  @Test("is refused with the place of the fault, and nothing of it is stored", arguments: rows)
  func refused(_ row: Row) async throws {
    try await CollectorClient.with(CollectorConfiguration(format: row.format)) { client async throws in
      let answer = try await client.post(Array(row.body.utf8), headers: Self.headers(row.format))
      let text = String(decoding: answer.body, as: UTF8.self)
      // A partial success is how OTLP refuses records.
      #expect(answer.status == row.status || text.contains(#""rejectedLogRecords":"1""#))
      #expect(text.contains(row.place), "\(text)")
      #expect(await client.server.totals.accepted == 0)
      #expect(await client.server.totals.malformed == 1)
    }
  }

  @Test("is refused where its type is not said, or where it is too large", arguments: CollectorFormat.allCases)
  func refusedByType(_ format: CollectorFormat) async throws {
    try await CollectorClient.with(CollectorConfiguration(format: format)) { client async throws in
      let answer = try await client.post(Array("{}".utf8), headers: ["Content-Type": "text/plain"])
      #expect(answer.status == ([.dualsend, .sample].contains(format) ? 400 : 415))
    }
  }

  @Test("is listed by Amplitude's server by field and place")
  func amplitudeLists() async throws {
    let broken = Self.amplitude(
      #"{"user_id":"user-1"},{"event_type":"a","device_id":"d"},{"event_type":"a","user_id":"user-1","time":1.5}"#)
    try await CollectorClient.with(CollectorConfiguration(format: .amplitude)) { client async throws in
      let answer = try await client.post(Array(broken.utf8), headers: Self.headers(.amplitude))
      #expect(
        answer.json == [
          "code": 400, "error": "events[1].event_type is missing; 2 more", "missing_field": nil,
          "events_with_missing_fields": ["event_type": [1]], "events_with_invalid_fields": ["time": [3]],
          "events_with_invalid_id_lengths": ["device_id": [2]],
        ])
    }
  }

  @Test("does not keep the collector from taking the next", arguments: CollectorFormat.allCases)
  func takesNext(_ format: CollectorFormat) async throws {
    let good: [CollectorFormat: String] = [
      .dualsend: #"[{"eventId":"018bcfe5-6800-7000-8000-000000000000","eventName":"a","eventTime":1,"payload":{}}]"#,
      .sample: #"[{"eventId":"a","eventTime":1,"payload":{}}]"#,
      .segment: #"{"writeKey":"k","batch":[\#(Self.segmentEvent)]}"#,
      .amplitude: #"{"api_key":"k","events":[\#(Self.amplitudeEvent)]}"#,
      .posthog: #"{"api_key":"k","batch":[\#(Self.postHogEvent)]}"#,
      .otlp: Self.otlp(#"{"eventName":"a"}"#), .cloudevents: "[\(Self.cloudEvent)]",
    ]
    let body = try #require(good[format])
    try await CollectorClient.with(CollectorConfiguration(format: format)) { client async throws in
      _ = try await client.post(Array("nonsense".utf8), headers: Self.headers(format))
      let answer = try await client.post(Array(body.utf8), headers: Self.headers(format))
      #expect((200..<300).contains(answer.status))
      #expect(await client.server.events.map(\.name) == ["a"])
    }
  }
}
