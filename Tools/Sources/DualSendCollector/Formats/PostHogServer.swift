import DualSendCore

/// PostHog's capture API, `POST /batch/` (https://posthog.com/docs/api/capture).
struct PostHogServer: VendorServer {
  /// Properties that PostHog's clients add to events, and name themselves in.
  private static let clientProperties: Set = [
    "$device_id", "$geoip_disable", "$is_server", "$lib", "$lib_version", "$os", "$os_distro", "$os_version",
    "$process_person_profile", "$python_runtime", "$python_version", "$session_id",
  ]
  /// Properties that the tracker's format adds.
  private static let identityProperties: Set = ["$device_id", "$session_id"]

  let path = "/batch/"
  let listKey: String? = "batch"
  let limits = VendorLimits(bytes: 20 << 20, eventBytes: 1 << 20)

  func elements(of body: RequestValue, _: RequestHead) throws(RequestFault) -> [RequestValue] {
    guard let key = try body.optional("api_key") else {
      throw RequestFault("api_key", "is missing", kind: .missing, status: 401)
    }
    _ = try key.text()
    return try body.required("batch").elements()
  }

  func event(_ element: RequestValue, in _: RequestValue) throws(RequestFault) -> TrackingEvent {
    let properties = try element.optional("properties")
    let person: RequestValue
    if let inside = try properties?.optional("distinct_id") {
      person = inside
    } else {
      person = try element.required("distinct_id")
    }
    _ = try person.text(limit: 200)
    let time = try element.optional("timestamp")?.time() ?? TimeSource.system.wallMilliseconds()
    var id = EventID(vendorText: nil, time: time)
    if let uuid = try element.optional("uuid") {
      guard let given = EventID(try uuid.text()) else { throw uuid.fault("is not a UUID") }
      id = given
    }
    return TrackingEvent(
      id: id, time: time, name: try element.required("event").text(limit: 200),
      payload: Self.payload(try properties?.members() ?? [:]))
  }

  private static func payload(_ properties: [String: EventValue]) -> [String: EventValue] {
    if case .string(let client)? = properties["$lib"], client.hasPrefix("posthog-") {
      return properties.filter { !clientProperties.contains($0.key) }
    }
    return properties.removingCopies(at: identityProperties)
  }

  func success(_: TakenBatch) -> Answer {
    .json(200, ["status": "Ok"])
  }

  func refusal(_ status: Int, _ faults: [RequestFault], events _: Int) -> EventValue {
    let (type, code) =
      switch status {
      case 401, 403: ("authentication_error", "invalid_api_key")
      case 413: ("validation_error", "payload_too_large")
      case 429: ("throttled_error", "throttled")
      case 500...: ("server_error", "error")
      default: ("validation_error", "invalid_payload")
      }
    return ["type": .string(type), "code": .string(code), "detail": .string(message(faults)), "attr": nil]
  }
}
