import DualSendCore
import DualSendTracking
import DualSendWireFormats
import Foundation
import Testing

@testable import DualSendCollector

@Suite("A file of requests, or of events as requests hold them", .timeLimit(.minutes(5)))
struct VendorStreamTests {
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
    var broken = VendorStream.Broken()
    return try convert(lines, format, &broken)
  }

  private func convert(
    _ lines: String, _ format: CollectorFormat, _ broken: inout VendorStream.Broken
  ) throws -> String {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("vendor-stream-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (input, output) = (folder.appendingPathComponent("in"), folder.appendingPathComponent("out"))
    try Data(lines.utf8).write(to: input)
    broken = try VendorStream(format).convert(input, to: output)
    return try String(contentsOf: output, encoding: .utf8)
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
    var broken = VendorStream.Broken()
    let read = try convert(lines.joined(separator: "\n"), .segment, &broken)
    #expect(read.split(separator: "\n").count == 3)
    #expect(broken.count == 2 && broken.first.map(\.number) == [2, 3])
    #expect(broken.first.first?.fault.description == "batch[0].event is missing")
  }

  @Test("keeps an id that is no UUID the same wherever it is read")
  func foreignID() throws {
    let event = #"{"specversion":"1.0","id":"order-7","source":"s","type":"a","time":"1970-01-01T00:00:00.001Z"}"#
    #expect(try convert(event, .cloudevents) == convert("[\(event)]", .cloudevents))
    #expect(
      try convert(event, .cloudevents)
        != convert(event.replacingOccurrences(of: "order-7", with: "order-8"), .cloudevents))
  }
}
