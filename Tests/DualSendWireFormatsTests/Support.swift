import DualSendCore
import DualSendTesting
import DualSendTracking
import DualSendWireFormats
import Foundation
import Testing

/// 2026-01-01T00:00:00Z.
let newYear: Int64 = 1_767_225_600_000

/// An event as the tracker stores it, converted as a call site's values are.
func stored(
  _ name: String = "home.view", _ payload: [String: Any] = ["user_id": "user-42"], number: UInt64 = 1,
  time: Int64 = newYear
) -> TrackingData {
  var converter = EventValueConverter()
  let id = EventID(high: 0x019b_76da_a800_7daf, low: 0x9b9e_279a_a86e_0000 + number)
  return TrackingData(TrackingEvent(id: id, time: time, name: name, payload: converter.convert(payload)))
}

/// Values of every kind, those that JSON has no form for among them.
var awkward: [String: Any] {
  [
    "": "no name", "at": Timestamp.date(milliseconds: newYear), "big": UInt64.max, "device_id": "device-42",
    "list": [1, "two", Double.nan] as [Any], "n": 42, "nan": Double.nan,
    "nested": ["ü\u{1F600}": 1.5, "flag": true] as [String: Any],
    "nothing": NSNull(), "session_id": 1_700_000_000_000, "text": "a\"b\\\u{1}\n", "unit_id": "unit-42",
    "user_id": "user-42",
  ]
}

/// The payload of `awkward` as JSON.
let awkwardJSON =
  #"{"":"no name","at":"2026-01-01T00:00:00.000Z","big":18446744073709551615,"device_id":"device-42","#
  + #""list":[1,"two"],"n":42,"nested":{"flag":true,"ü😀":1.5},"nothing":null,"session_id":1700000000000,"#
  + #""text":"a\"b\\\u0001\n","unit_id":"unit-42","user_id":"user-42"}"#

extension WireFormat {
  func body(_ events: TrackingData...) -> String {
    String(decoding: request(for: events[...], sentAt: newYear + 5000).body, as: UTF8.self)
  }

  func refusals(_ events: TrackingData...) -> [String] {
    let request = request(for: events[...], sentAt: newYear)
    return events.compactMap { request.refused[$0.id] }
  }

  func answer(_ status: Int, _ body: String, to count: Int = 3) -> WireAnswer {
    answer(HTTPTransportResponse(status: status, body: Array(body.utf8)), to: batch(count))
  }
}

func batch(_ count: Int) -> [TrackingData] {
  (0..<count).map { stored(number: UInt64($0)) }
}

func id(_ place: Int) -> EventID { stored(number: UInt64(place)).id }

/// Bodies that no collector should send, and some do.
let hostileBodies = [
  "", "null", "[]", "\"ok\"", "{", "{\"a\":1}x", "<p>busy</p>", String(repeating: "[", count: 100_000),
  #"{"success":1,"message":{"a":[]},"error":[],"missing_field":7,"events_ingested":"x","quota_limited":"events"}"#,
  #"{"partialSuccess":[],"silenced_events":{"a":1},"events_with_invalid_fields":[1],"throttled_events":"all"}"#,
  #"{"partialSuccess":{"rejectedLogRecords":{},"errorMessage":1},"quota_limited":[1,null,{}],"events_ingested":-1}"#,
  #"{"events_with_invalid_fields":{"time":[-1,3,99999999999999999999,1.5,"0",null]},"silenced_events":[-9,1e300]}"#,
]
