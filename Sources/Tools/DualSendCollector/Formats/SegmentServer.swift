import DualSendCore

/// Segment's HTTP API, `POST /v1/batch` (https://segment.com/docs/connections/sources/catalog/libraries/server/http-api/).
///
/// Segment responds with 200 to events without a user or a name, and drops them later. This server responds with 400
/// and the place, like RudderStack, so that tests detect the fault.
struct SegmentServer: VendorServer {
  let path = "/v1/batch"
  let listKey: String? = "batch"
  let limits = VendorLimits(bytes: 500 << 10, events: 2500, eventBytes: 32 << 10, status: 400)

  /// The types of calls, of which only `track` is an event.
  static let calls: Set<String> = ["alias", "group", "identify", "page", "screen", "track"]

  func checkRequest(_ body: RequestValue, _ head: RequestHead) throws(RequestFault) {
    if let sentAt = try body.optional("sentAt") { _ = try sentAt.time() }
    if let writeKey = try body.optional("writeKey") {
      _ = try writeKey.text()
    } else if head.authorization == nil {
      throw RequestFault("writeKey", "is missing, and so is an authorization", kind: .missing, status: 401)
    }
  }

  func event(_ element: RequestValue) throws(RequestFault) -> RecordedEvent {
    let type = try element.required("type")
    guard try type.text() == "track" else { throw type.fault("is not `track`, the only type that is stored here") }
    return RecordedEvent(
      id: try element.optional("messageId")?.text(limit: 99), time: try element.optional("timestamp")?.time(),
      name: try element.required("event").text(), payload: try element.optional("properties")?.members() ?? [:],
      unit: element.firstText(of: "userId", "anonymousId"))
  }

  func checkEvent(_ element: RequestValue, in _: RequestValue) throws(RequestFault) {
    let ids = (try element.optional("userId"), try element.optional("anonymousId"))
    if let user = ids.0 { _ = try user.text() }
    if let anonymous = ids.1 { _ = try anonymous.text() }
    if ids.0 == nil, ids.1 == nil {
      throw RequestFault("\(element.place).userId", "is missing, and so is anonymousId", kind: .missing)
    }
    for key in ["context", "integrations"] { _ = try element.optional(key)?.members() }
  }

  func otherCall(_ element: EventValue) -> String? {
    guard case .object(let members) = element, case .string(let type)? = members["type"], type != "track" else {
      return nil
    }
    return Self.calls.contains(type) ? type : nil
  }

  func success(_: TakenBatch) -> Answer {
    .json(200, ["success": true])
  }

  func refusal(_ status: Int, _ faults: [RequestFault], events _: Int) -> EventValue {
    let code =
      switch status {
      case 400: "invalid_request"
      case 401, 403: "unauthorized"
      case 413: "payload_too_large"
      case 429: "too_many_requests"
      default: "unavailable"
      }
    return ["success": false, "code": .string(code), "message": .string(message(faults))]
  }
}
