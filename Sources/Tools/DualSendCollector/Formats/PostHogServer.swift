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

  func checkRequest(_ body: RequestValue, _: RequestHead) throws(RequestFault) {
    guard let key = try body.optional("api_key") else {
      throw RequestFault("api_key", "is missing", kind: .missing, status: 401)
    }
    _ = try key.text()
  }

  func event(_ element: RequestValue) throws(RequestFault) -> RecordedEvent {
    let properties = try element.optional("properties")
    return RecordedEvent(
      id: try element.optional("uuid")?.text(), time: try element.optional("timestamp")?.time(),
      name: try element.required("event").text(limit: 200), payload: Self.payload(try properties?.members() ?? [:]),
      unit: properties?.firstText(of: "distinct_id") ?? element.firstText(of: "distinct_id"))
  }

  func checkEvent(_ element: RequestValue, in _: RequestValue) throws(RequestFault) {
    let properties = try element.optional("properties")
    let person: RequestValue
    if let inside = try properties?.optional("distinct_id") {
      person = inside
    } else {
      person = try element.required("distinct_id")
    }
    _ = try person.text(limit: 200)
    if let uuid = try element.optional("uuid"), EventID(try uuid.text()) == nil { throw uuid.fault("is not a UUID") }
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
