import CustomDump
import DualSendCore
import DualSendTracking
import DualSendWireFormats
import Testing

@Suite("An answer in another collector's format", .timeLimit(.minutes(5)))
struct AnswerTests {
  @Test(
    "of Segment or RudderStack",
    arguments: [
      (200, #"{"success":true}"#, .delivered()), (200, "OK", .delivered()),
      (200, #"{"success":false,"message":"no user"}"#, .invalid("200: no user")),
      (400, #"{"success":false,"message":"malformed JSON"}"#, .invalid("400: malformed JSON")),
      (400, "Request neither has anonymousId nor userId", .invalid("400")),
      (401, "Failed to read writeKey from header", .refused(.status(401))), (413, "", .tooLarge("413")),
      (429, "", .retry(.status(429))), (503, "", .retry(.status(503))),
    ] as [(Int, String, WireAnswer)])
  func segment(status: Int, body: String, expected: WireAnswer) {
    expectNoDifference(SegmentFormat(writeKey: "k").answer(status, body), expected)
  }

  @Test(
    "of Amplitude",
    arguments: [
      (200, #"{"code":200,"events_ingested":3}"#, .delivered()),
      (
        200, #"{"code":200,"events_ingested":2}"#,
        .delivered(warning: "Amplitude accepted 2 of 3 events and does not name the others")
      ),
      (400, #"{"code":400,"error":"Invalid API key: k"}"#, .refused(.reported("Invalid API key"))),
      (
        400, #"{"error":"Request missing required field","missing_field":"api_key"}"#,
        .refused(.reported("the request misses api_key"))
      ),
      (
        400, #"{"events_with_invalid_fields":{"time":[0,2]},"events_with_missing_fields":{"event_type":[2]}}"#,
        .rejected([id(0): "time is invalid", id(2): "time is invalid"])
      ),
      (
        400, #"{"events_with_invalid_id_lengths":{"user_id":[1]},"silenced_events":[2,2]}"#,
        .rejected([id(1): "user_id is too short", id(2): "its device is silenced"])
      ),
      (400, #"{"error":"Invalid JSON request body"}"#, .invalid("400: Invalid JSON request body")),
      (413, #"{"code":413,"error":"Payload too large"}"#, .tooLarge("413")),
      (
        429, #"{"code":429,"error":"Too many requests","eps_threshold":30,"throttled_events":[0]}"#,
        .retry(.reported("429: Too many requests"), after: .seconds(30))
      ),
      (
        429, #"{"error":"Too many","exceeded_daily_quota_users":{"user-42":500001}}"#,
        .retry(.reported("429: Too many"), after: .seconds(3600))
      ),
      (504, "", .retry(.status(504))), (403, "", .refused(.status(403))),
    ] as [(Int, String, WireAnswer)])
  func amplitude(status: Int, body: String, expected: WireAnswer) {
    expectNoDifference(AmplitudeFormat(apiKey: "k").answer(status, body), expected)
  }

  @Test(
    "of PostHog",
    arguments: [
      (200, #"{"status":1}"#, .delivered()), (200, #"{"status":"Ok","quota_limited":[]}"#, .delivered()),
      (
        200, #"{"status":1,"quota_limited":["recordings","events"]}"#,
        .refused(.reported("PostHog's quota for events is used up"))
      ),
      (
        200, #"{"quota_limited":["exceptions"]}"#,
        .delivered(warning: "PostHog's quota is used up for exceptions; such events of the batch are lost")
      ),
      (400, "event submitted without a distinct_id", .invalid("400")),
      (401, "API key is not valid", .refused(.status(401))), (429, "billing limit reached", .retry(.status(429))),
      (503, "transient error, please retry", .retry(.status(503))),
    ] as [(Int, String, WireAnswer)])
  func postHog(status: Int, body: String, expected: WireAnswer) {
    expectNoDifference(PostHogFormat(apiKey: "k").answer(status, body), expected)
  }

  @Test(
    "of an OpenTelemetry collector, which forbids to send again what it rejected",
    arguments: [
      (200, "{}", .delivered()), (200, #"{"partialSuccess":{}}"#, .delivered()),
      (200, #"{"partialSuccess":{"rejectedLogRecords":"0"}}"#, .delivered()),
      (
        200, #"{"partialSuccess":{"errorMessage":"use eventName"}}"#,
        .delivered(warning: "the collector says: use eventName")
      ),
      (
        200, #"{"partialSuccess":{"rejectedLogRecords":"2","errorMessage":"too old"}}"#,
        .delivered(warning: "the collector rejected 2 of 3 records: too old")
      ),
      (
        200, #"{"partialSuccess":{"rejectedLogRecords":3,"errorMessage":"too old"}}"#,
        .delivered(rejected: [id(0): "too old", id(1): "too old", id(2): "too old"])
      ),
      (400, #"{"code":3,"message":"bad attribute"}"#, .invalid("400: bad attribute")), (413, "", .tooLarge("413")),
      (429, "", .retry(.status(429))), (502, "", .retry(.status(502))), (503, "", .retry(.status(503))),
      (504, "", .retry(.status(504))), (500, "", .refused(.status(500))), (501, "", .refused(.status(501))),
      (404, "", .refused(.status(404))),
    ] as [(Int, String, WireAnswer)])
  func otlp(status: Int, body: String, expected: WireAnswer) {
    expectNoDifference(OTLPLogsFormat(serviceName: "shop").answer(status, body), expected)
  }

  @Test(
    "of a CloudEvents receiver or the sample tracker's collector is its status",
    arguments: [WireFormatName.cloudevents, .sample])
  func status(name: WireFormatName) {
    for status in [200, 202, 204, 400, 401, 413, 415, 429, 500] {
      #expect(name.format(key: "k").answer(status, #"{"rejected":[1]}"#) == WireAnswer(status: status))
    }
  }

  @Test("that is hostile rejects no event and means no more than its status", arguments: hostileBodies)
  func hostile(body: String) {
    for name in WireFormatName.allCases {
      let format = name.format(key: "k")
      for count in [0, 1, 3] {
        #expect(!format.answer(200, body, to: count).rejectsSomething)
        #expect(!format.answer(400, body, to: count).rejectsSomething)
        #expect(format.answer(503, body, to: count) == .retry(.status(503)))
        #expect(format.answer(413, body, to: count) == .tooLarge("413"))
      }
    }
  }

  @Test("that names events out of the batch, or one twice, rejects those that are in it, once")
  func places() {
    let body = #"{"events_with_invalid_fields":{"b":[2,2,3,-1,9007199254740993],"a":[2]}}"#
    expectNoDifference(AmplitudeFormat(apiKey: "k").answer(400, body), .rejected([id(2): "a is invalid"]))
    let rejected = #"{"partialSuccess":{"rejectedLogRecords":"9223372036854775807","errorMessage":""}}"#
    expectNoDifference(
      OTLPLogsFormat(serviceName: "s").answer(200, rejected, to: 1), .delivered(rejected: [id(0): "rejected"]))
    let negative = #"{"partialSuccess":{"rejectedLogRecords":-5}}"#
    #expect(OTLPLogsFormat(serviceName: "s").answer(200, negative) == .delivered())
  }
}

extension WireAnswer {
  fileprivate var rejectsSomething: Bool {
    switch self {
    case .delivered(let rejected, _), .rejected(let rejected): !rejected.isEmpty
    default: false
    }
  }
}
