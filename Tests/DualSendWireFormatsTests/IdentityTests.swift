import CustomDump
import DualSendCore
import DualSendTracking
import DualSendWireFormats
import Testing

@Suite("Who an event is about", .timeLimit(.minutes(5)))
struct IdentityTests {
  private static let demanding = [WireFormatName.segment, .posthog]

  @Test("is demanded by collectors that drop other events", arguments: demanding)
  func withoutIdentity(name: WireFormatName) {
    let refusals = name.format(key: "k").refusals(stored("a", ["user_id": "", "unit_id": ["x"]]))
    #expect(refusals == ["no user and no unit: the payload has none of the parameters user_id, unit_id"])
  }

  @Test("and the event's name have at most 200 characters for PostHog, which would cut longer ones")
  func tooLong() {
    let format = WireFormatName.posthog.format(key: "k")
    let long = String(repeating: "ä", count: 201)
    #expect(format.refusals(stored(String(long.dropLast()))).isEmpty)
    #expect(format.refusals(stored(long)) == ["the name has more than 200 characters"])
    #expect(format.refusals(stored("a", ["user_id": long])) == ["the distinct_id has more than 200 characters"])
  }

  @Test("is the fallback unit where the payload names neither a user nor a unit", arguments: demanding)
  func fallback(name: WireFormatName) {
    let format = name.format(key: "k", identity: IdentityParameters(fallbackUnit: "installation-1"))
    #expect(format.refusals(stored("a", [:])).isEmpty)
    #expect(format.body(stored("a", [:])).contains("installation-1"))
    #expect(!format.body(stored("a", ["user_id": "user-42"])).contains("installation-1"))
  }

  @Test("is read from the parameters that the app has for it, the first that has a value")
  func parameters() {
    let identity = IdentityParameters(user: ["member", "uid"], unit: ["install"], session: ["s"], device: ["d"])
    let event = stored("a", ["member": "", "uid": 7, "install": "i", "s": "one", "d": UInt64.max])
    let body = SegmentFormat(writeKey: "k", identity: identity).body(event)
    #expect(body.contains(#""userId":"7""#) && body.contains(#""anonymousId":"i""#))
    #expect(body.contains(#"{"device":{"id":"18446744073709551615"},"sessionId":"one"}"#))
  }

  @Test("needs five characters for Amplitude, unless the format is told otherwise")
  func shortID() {
    let format = AmplitudeFormat(apiKey: "k")
    #expect(
      format.refusals(stored("a", ["user_id": "u", "device_id": "dev"])) == [
        "no user and no device with an id of 5 characters or more"
      ])
    for word in ["unknown", "UNDEFINED", "00000000-0000-0000-0000-000000000000"] {
      #expect(format.refusals(stored("a", ["user_id": word])).count == 1)
    }
    let body = format.body(stored("a", ["user_id": "u", "unit_id": "unit-42"]))
    #expect(body.contains(#""device_id":"unit-42""#))
    #expect(!body.contains(#""user_id":"u","#) && !body.contains("options"))
    let short = AmplitudeFormat(apiKey: "k", minimumIDLength: 1).body(stored("a", ["user_id": "u"]))
    #expect(short.hasSuffix(#""user_id":"u"}],"options":{"min_id_length":1}}"#))
  }

  @Test("is the fallback unit for Amplitude where no id that the payload names is usable")
  func unusableUser() {
    let format = AmplitudeFormat(apiKey: "k", identity: IdentityParameters(fallbackUnit: "installation-1"))
    #expect(format.body(stored("a", ["user_id": "42"])).contains(#""device_id":"installation-1""#))
    #expect(!format.body(stored("a", ["user_id": "user-42"])).contains("installation-1"))
  }

  @Test("has a session for Amplitude only if that is an integer")
  func session() {
    let body = { (session: Any) in
      AmplitudeFormat(apiKey: "k").body(stored("a", ["user_id": "user-42", "session_id": session]))
    }
    #expect(body(17).contains(#""session_id":17,"time""#))
    #expect(body("17").contains(#""session_id":17,"time""#))
    #expect(!body("one").contains(#""session_id":"one","time""#))
  }

  @Test("does not replace what the payload says itself")
  func clash() {
    let event = stored("a", ["user_id": "user-42", "session_id": "s", "$session_id": "mine", "user.id": "other"])
    #expect(PostHogFormat(apiKey: "k").body(event).contains(#""$session_id":"mine""#))
    let body = OTLPLogsFormat(serviceName: "shop").body(event)
    #expect(body.contains(#"{"key":"user.id","value":{"stringValue":"other"}}"#))
    #expect(!body.contains(#"{"key":"user.id","value":{"stringValue":"user-42"}}"#))
  }
}
