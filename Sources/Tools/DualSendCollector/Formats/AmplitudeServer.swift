import DualSendCore

/// Amplitude's HTTP V2 API (https://amplitude.com/docs/apis/analytics/http-v2). It accepts a whole batch or nothing,
/// and lists invalid events by position.
struct AmplitudeServer: VendorServer {
  let path = "/2/httpapi"
  let listKey: String? = "events"
  let limits = VendorLimits(bytes: (1 << 20) - 1, events: 1999)

  func checkRequest(_ body: RequestValue, _: RequestHead) throws(RequestFault) {
    _ = try body.required("api_key").text()
    if let options = try body.optional("options") { try options.allow(["min_id_length"]) }
  }

  /// Also reads events of the Export API, which have `event_time` and `$insert_id` instead
  /// (https://amplitude.com/docs/apis/analytics/export).
  func event(_ element: RequestValue) throws(RequestFault) -> RecordedEvent {
    let id = try element.optional("insert_id")?.text()
    let exported = element.firstText(of: "event_time")
    return RecordedEvent(
      id: id ?? element.firstText(of: "$insert_id", "uuid"),
      time: try element.optional("time")?.integer() ?? exported.flatMap { Timestamp.milliseconds(text: $0 + "Z") },
      name: try element.required("event_type").text(),
      payload: try element.optional("event_properties")?.members() ?? [:],
      unit: element.firstText(of: "user_id", "device_id"))
  }

  func checkEvent(_ element: RequestValue, in body: RequestValue) throws(RequestFault) {
    let minimum = try body.optional("options")?.optional("min_id_length")?.integer() ?? 5
    var hasID = false
    for key in ["user_id", "device_id"] {
      guard let id = try element.optional(key) else { continue }
      guard try id.text().unicodeScalars.count >= minimum else {
        throw id.fault("is shorter than \(minimum) characters", kind: .idLength)
      }
      hasID = true
    }
    if !hasID { throw RequestFault("\(element.place).device_id", "is missing, and so is user_id", kind: .missing) }
    if let session = try element.optional("session_id") { _ = try session.integer() }
    if let number = try element.optional("event_id") { _ = try number.integer() }
    _ = try element.optional("user_properties")?.members()
  }

  func success(_ batch: TakenBatch) -> Answer {
    .json(
      200,
      [
        "code": 200, "events_ingested": .int(Int64(batch.taken)), "payload_size_bytes": .int(Int64(batch.byteCount)),
        "server_upload_time": .int(TimeSource.system.wallMilliseconds()),
      ])
  }

  func refusal(_ status: Int, _ faults: [RequestFault], events: Int) -> EventValue {
    var members: [String: EventValue] = ["code": .int(Int64(status)), "error": .string(message(faults))]
    switch status {
    case 400:
      members["missing_field"] =
        faults.first { $0.element == nil && $0.kind == .missing }.map { .string($0.place) } ?? .null
      for (key, kind) in [
        ("events_with_missing_fields", RequestFault.Kind.missing), ("events_with_invalid_fields", .invalid),
        ("events_with_invalid_id_lengths", .idLength),
      ] {
        members[key] = .object(places(faults.filter { $0.kind == kind }))
      }
    case 429:
      members["eps_threshold"] = 10
      members["throttled_events"] = .array((0..<events).map { .int(Int64($0)) })
      for key in ["throttled_devices", "throttled_users", "exceeded_daily_quota_devices", "exceeded_daily_quota_users"]
      {
        members[key] = [:]
      }
    default: break
    }
    return .object(members)
  }

  /// The positions of the events by invalid member; `event_type` for an event as a whole.
  private func places(_ faults: [RequestFault]) -> [String: EventValue] {
    let elements = faults.compactMap { fault in
      fault.element.map { (fault.field.isEmpty ? "event_type" : fault.field, EventValue.int(Int64($0))) }
    }
    return Dictionary(grouping: elements) { $0.0 }.mapValues { .array($0.map(\.1)) }
  }
}
