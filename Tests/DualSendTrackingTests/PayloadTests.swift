import CustomDump
import DualSendCore
import Foundation
import Testing

@testable import DualSendTracking

@Suite("A stored event's payload", .timeLimit(.minutes(5)))
struct PayloadTests {
  private static let id = EventID(high: 0x019b_76da_a800_7daf, low: 1)

  @Test("is what was sent, whatever its name and values", arguments: UInt64(1)...200)
  func roundTrip(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let texts = ["", "a", "\"", "\\", "}", "{\"payload\":{}}", "ü\u{1F600}", "\u{1}", "\\\"}", "payload"]
    func value(_ depth: Int) -> EventValue {
      switch Int.random(in: 0..<(depth > 3 ? 5 : 7), using: &random) {
      case 0: .null
      case 1: .bool(Bool.random(using: &random))
      case 2: .int(Int64.random(in: .min ... .max, using: &random))
      case 3: .double(Double.random(in: -1e9...1e9, using: &random))
      case 4: .string(texts[Int.random(in: 0..<texts.count, using: &random)])
      case 5: .array((0..<Int.random(in: 0...3, using: &random)).map { _ in value(depth + 1) })
      default: .object(members(depth + 1))
      }
    }
    func members(_ depth: Int) -> [String: EventValue] {
      Dictionary(
        (0..<Int.random(in: 0...4, using: &random)).map { _ in
          (texts[Int.random(in: 0..<texts.count, using: &random)], value(depth))
        }, uniquingKeysWith: { first, _ in first })
    }
    let payload = members(0)
    let name = texts[Int.random(in: 0..<texts.count, using: &random)]
    let data = TrackingData(TrackingEvent(id: Self.id, time: -5, name: name, payload: payload))
    #expect(EventValue.object(data.payload).canonicalJSON == EventValue.object(payload).canonicalJSON)
    #expect(data.payloadJSON == EventValue.object(payload).canonicalJSON)
  }

  @Test(
    "is read from a body that another program wrote, and is empty where there is none",
    arguments: [
      (#"{ "eventId": "x", "payload": {"b": 1, "a": 2} }"#, #"{"a":2,"b":1}"#), ("", "{}"), ("[]", "{}"), ("{", "{}"),
      (#"{"payload":[1]}"#, "{}"),
      // As the tracker writes it up to the payload, then not.
      (head + #"{"a":1},"extra":{}}"#, #"{"a":1}"#), (head + #"1}"#, "{}"), (head + #"{"a":"}"}}"#, #"{"a":"}"}"#),
      (head + #"{}}}"#, "{}"), (head, "{}"),
    ])
  func foreign(body: String, expected: String) {
    let data = TrackingData(id: Self.id, time: 0, name: "a", body: Array(body.utf8))
    #expect(String(decoding: data.payloadJSON, as: UTF8.self) == expected)
    #expect(EventValue.object(data.payload).canonicalJSON == Array(expected.utf8))
  }

  private static let head = #"{"eventId":"\#(id)","eventName":"a","eventTime":0,"payload":"#
}
