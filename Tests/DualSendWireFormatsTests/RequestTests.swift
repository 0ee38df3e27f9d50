import CustomDump
import DualSendCore
import DualSendTracking
import DualSendWireFormats
import Foundation
import Testing

@Suite("A request in another collector's format", .timeLimit(.minutes(5)))
struct RequestTests {
  private static let eventID = stored().id.description

  @Test(
    "holds every value where the collector looks for it",
    arguments: [
      (
        .sampleTracker,
        #"[{"eventId":"home.view","eventTime":1767225600000,"payload":\#(awkwardJSON)}]"#
      ),
      (
        .segment(writeKey: "key"),
        #"{"batch":[{"anonymousId":"unit-42","context":{"device":{"id":"device-42"},"sessionId":1700000000000},"#
          + #""event":"home.view","messageId":"\#(eventID)","properties":\#(awkwardJSON),"#
          + #""timestamp":"2026-01-01T00:00:00.000Z","type":"track","userId":"user-42"}],"#
          + #""sentAt":"2026-01-01T00:00:05.000Z"}"#
      ),
      (
        .amplitude(apiKey: "key"),
        #"{"api_key":"key","events":[{"device_id":"device-42","event_properties":\#(awkwardJSON),"#
          + #""event_type":"home.view","insert_id":"\#(eventID)","session_id":1700000000000,"time":1767225600000,"#
          + #""user_id":"user-42"}]}"#
      ),
      (
        .postHog(apiKey: "key"),
        #"{"api_key":"key","batch":[{"distinct_id":"user-42","event":"home.view","properties":{"":"no name","#
          + #""$device_id":"device-42","$session_id":1700000000000,\#(awkwardJSON.dropFirst(14)),"#
          + #""timestamp":"2026-01-01T00:00:00.000Z","uuid":"\#(eventID)"}],"sent_at":"2026-01-01T00:00:05.000Z"}"#
      ),
      (
        .cloudEvents(source: "https://app.test/ios"),
        #"[{"data":\#(awkwardJSON),"datacontenttype":"application/json","deviceid":"device-42","id":"\#(eventID)","#
          + #""sessionid":"1700000000000","source":"https://app.test/ios","specversion":"1.0","subject":"user-42","#
          + #""time":"2026-01-01T00:00:00.000Z","type":"home.view"}]"#
      ),
      (
        .otlpLogs(serviceName: "shop"),
        #"{"resourceLogs":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"shop"}}]},"#
          + #""scopeLogs":[{"scope":{"name":"dualsend"},"logRecords":[{"attributes":["#
          + #"{"key":"app.installation.id","value":{"stringValue":"unit-42"}},"#
          + #"{"key":"at","value":{"stringValue":"2026-01-01T00:00:00.000Z"}},"#
          + #"{"key":"big","value":{"stringValue":"18446744073709551615"}},"#
          + #"{"key":"device.id","value":{"stringValue":"device-42"}},"#
          + #"{"key":"device_id","value":{"stringValue":"device-42"}},"#
          + #"{"key":"list","value":{"arrayValue":{"values":[{"intValue":"1"},{"stringValue":"two"}]}}},"#
          + #"{"key":"log.record.uid","value":{"stringValue":"\#(eventID)"}},"#
          + #"{"key":"n","value":{"intValue":"42"}},"#
          + #"{"key":"nested","value":{"kvlistValue":{"values":[{"key":"flag","value":{"boolValue":true}},"#
          + #"{"key":"ü😀","value":{"doubleValue":1.5}}]}}},"#
          + #"{"key":"nothing","value":{}},"#
          + #"{"key":"parameter.","value":{"stringValue":"no name"}},"#
          + #"{"key":"session.id","value":{"stringValue":"1700000000000"}},"#
          + #"{"key":"session_id","value":{"intValue":"1700000000000"}},"#
          + #"{"key":"text","value":{"stringValue":"a\"b\\\u0001\n"}},"#
          + #"{"key":"unit_id","value":{"stringValue":"unit-42"}},"#
          + #"{"key":"user.id","value":{"stringValue":"user-42"}},"#
          + #"{"key":"user_id","value":{"stringValue":"user-42"}}],"#
          + #""eventName":"home.view","observedTimeUnixNano":"1767225600000000000","#
          + #""timeUnixNano":"1767225600000000000"}]}]}]}"#
      ),
    ] as [(any WireFormat, String)])
  func body(format: any WireFormat, expected: String) throws {
    let body = format.body(stored("home.view", awkward))
    expectNoDifference(body, expected)
    _ = try JSONReader().value(Array(body.utf8))
  }

  @Test("is JSON with any number of events, in their order", arguments: WireFormatName.allCases, [1, 2, 7])
  func order(name: WireFormatName, count: Int) throws {
    let format = name.format(key: "key")
    let events = (0..<count).map { stored("event.\($0)", number: UInt64($0)) }
    let request = format.request(for: events[...], sentAt: newYear)
    #expect(request.eventCount == count && request.refused.isEmpty)
    _ = try JSONReader().value(request.body)
    let body = String(decoding: request.body, as: UTF8.self)
    let places = (0..<count).compactMap { body.range(of: "event.\($0)")?.lowerBound }
    #expect(places.count == count && places == places.sorted())
  }

  @Test("says what it is and who sends it")
  func headers() {
    let events = batch(1)[...]
    let headers = { (format: any WireFormat) in format.request(for: events, sentAt: 0).headers }
    expectNoDifference(
      headers(.segment(writeKey: "abc123")),
      ["Authorization": "Basic YWJjMTIzOg==", "Content-Type": "application/json"])
    expectNoDifference(headers(.cloudEvents(source: "/app")), ["Content-Type": "application/cloudevents-batch+json"])
    for name in [WireFormatName.amplitude, .posthog, .otlp, .sample, .dualsend] {
      expectNoDifference(headers(name.format(key: "k")), ["Content-Type": "application/json"])
    }
  }

  @Test("keeps a key that JSON must escape apart from the rest of the body")
  func hostileKey() throws {
    let key = #"","batch":[],"x":""#
    for name in WireFormatName.allCases {
      let body = name.format(key: key).body(stored())
      let value = try JSONReader().value(Array(body.utf8))
      if case .object(let members) = value { #expect(members["x"] == nil) }
    }
  }

  @Test("is cut at the collector's limits, and an event beyond them is refused")
  func limits() {
    let events = (0..<4000).map { stored(number: UInt64($0)) }
    let counts = [WireFormatName.segment, .amplitude].map { name in
      name.format(key: "k").request(for: events[...], sentAt: 0).eventCount
    }
    #expect(counts[0] <= 2500 && counts[1] == 1999)
    let large = stored("large", ["user_id": "user-42", "text": String(repeating: "x", count: 40_000)], number: 9)
    let request = WireFormatName.segment.format(key: "k").request(for: [large, stored()], sentAt: 0)
    #expect(request.eventCount == 2)
    expectNoDifference(
      request.refused, [large.id: "40186 bytes exceed the collector's limit of 32768 for an event"])
    let many = (0..<40).map {
      stored("e", ["user_id": "u", "text": String(repeating: "x", count: 20_000)], number: $0)
    }
    let cut = WireFormatName.segment.format(key: "k").request(for: many[...], sentAt: 0)
    #expect(cut.body.count <= 500_000 && cut.eventCount == 24)
  }

  @Test(
    "refuses an event without a name, which no collector takes",
    arguments: [WireFormatName.segment, .amplitude, .posthog, .otlp, .cloudevents])
  func noName(name: WireFormatName) {
    #expect(name.format(key: "k").refusals(stored("")) == ["the event has no name"])
  }

  @Test(
    "takes an event without a name where the format has a place for it", arguments: [WireFormatName.sample, .dualsend])
  func emptyName(name: WireFormatName) {
    #expect(name.format(key: "k").refusals(stored("")).isEmpty)
  }

  @Test("refuses an event whose body is not what the tracker stores, instead of sending less of it")
  func damaged() {
    let event = TrackingData(id: id(1), time: 0, name: "a", body: Array("{\"payload\":[]}".utf8))
    for name in [WireFormatName.segment, .amplitude, .posthog, .otlp, .cloudevents] {
      #expect(name.format(key: "k").refusals(event) == ["the payload cannot be read"])
    }
  }

  @Test("leaves out a time that the collector has no form for")
  func time() {
    let late = stored(time: .max)
    #expect(!WireFormatName.cloudevents.format(key: "k").body(late).contains(#""time""#))
    #expect(!WireFormatName.otlp.format(key: "k").body(late).contains("timeUnixNano"))
    #expect(!WireFormatName.otlp.format(key: "k").body(stored(time: -1)).contains("timeUnixNano"))
  }

  @Test("in the sample tracker's format refuses a body that is no event")
  func noEvent() {
    let event = TrackingData(id: id(0), time: 0, name: "", body: Array("unreadable".utf8))
    #expect(SampleTrackerFormat().refusals(event) == ["the payload cannot be read"])
  }
}
