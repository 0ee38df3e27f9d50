public import DualSendCore
public import DualSendTracking

/// A batch for Amplitude's HTTP V2 API: `POST https://api2.amplitude.com/2/httpapi` (in the EU
/// `https://api.eu.amplitude.com/2/httpapi`).
///
/// | field | from |
/// |---|---|
/// | `event_type`, `event_properties` | the event's name and its whole payload |
/// | `insert_id`, `time` | the event's id and time |
/// | `user_id` | ``IdentityParameters/user`` |
/// | `device_id` | ``IdentityParameters/device``, else ``IdentityParameters/unit`` |
/// | `session_id` | ``IdentityParameters/session``, if that is an integer |
///
/// Limits: a request is below 1 MB and has fewer than 2,000 events. An event needs a user or a device whose id has at
/// least five characters and is not one of the words that Amplitude calls invalid, such as `unknown`
/// (<https://amplitude.com/docs/apis/analytics/http-v2>). Such ids are left out, and events without another id are
/// refused, because Amplitude drops them or responds with 400.
public struct AmplitudeFormat: WireFormat, Hashable {
  /// The project's API key.
  public var apiKey: String
  /// The key: events of one key are never sent with another.
  public var tenant: String? { apiKey }
  /// The parameters that identify the user, unit, session and device.
  public var identity: IdentityParameters
  /// The minimum length of an id. Sent as `min_id_length` unless it is Amplitude's default, 5.
  public var minimumIDLength: Int
  /// The collector's limits.
  public var limits: WireRequest.Limits

  /// Creates the format.
  public init(
    apiKey: String, identity: IdentityParameters = IdentityParameters(), minimumIDLength: Int = 5,
    limits: WireRequest.Limits = WireRequest.Limits(events: 1999, bytes: 999_999)
  ) {
    self.apiKey = apiKey
    self.identity = identity
    self.minimumIDLength = minimumIDLength
    self.limits = limits
  }

  /// Makes a batch with the key in its body.
  public func request(for events: ArraySlice<TrackingData>, sentAt _: Int64) -> WireRequest {
    let options = minimumIDLength == 5 ? "" : ",\"options\":{\"min_id_length\":\(minimumIDLength)}"
    return WireRequest(
      of: events, limits: limits, encodings: [.gzip],
      opening: listOpening(["api_key": .string(apiKey)], list: "events"),
      closing: Array("]\(options)}".utf8)
    ) { event throws(WireRequest.Refusal) in
      let payload = try event.namedPayload()
      let identity = Identity(payload, self.identity)
      let user = identity.user.flatMap(usable)
      let device =
        identity.device.flatMap(usable) ?? identity.unit.flatMap(usable)
        ?? (user == nil ? self.identity.fallbackUnit.flatMap(usable) : nil)
      guard user != nil || device != nil else {
        throw WireRequest.Refusal("no user and no device with an id of \(minimumIDLength) characters or more")
      }
      return object([
        "event_type": .string(event.name), "event_properties": .object(payload),
        "insert_id": .string(event.id.description), "time": .int(event.time), "user_id": EventValue(user),
        "device_id": EventValue(device), "session_id": identity.session?.count.map { .int($0) },
      ]).canonicalJSON
    }
  }

  /// The id, unless Amplitude would drop it.
  private func usable(_ id: String) -> String? {
    id.count < minimumIDLength || Self.droppedIDs.contains(id.lowercased()) ? nil : id
  }

  private static let droppedIDs: Set<String> = [
    "anonymous", "nil", "none", "null", "n/a", "na", "undefined", "unknown", "{}", "lmy47d", "0", "-1",
    "00000000-0000-0000-0000-000000000000",
  ]
}

extension WireFormat where Self == AmplitudeFormat {
  /// Amplitude's HTTP V2 API.
  public static func amplitude(apiKey: String, identity: IdentityParameters = IdentityParameters()) -> Self {
    Self(apiKey: apiKey, identity: identity)
  }
}

// MARK: - Answer

extension AmplitudeFormat {
  /// The wait after a 429 without a daily quota
  /// (<https://amplitude.com/docs/apis/analytics/http-v2#429s-in-depth>).
  private static let throttleWait = Duration.seconds(30)

  /// Reads the invalid events of a 400 and the throttled users of a 429.
  ///
  /// | answer | then |
  /// |---|---|
  /// | 200 with `events_ingested` below the number sent | delivered with a warning, because Amplitude does not name the others |
  /// | 400 with positions of events | these become dead letters, the others are sent again |
  /// | 400 about the key or a field of the request | delivery pauses |
  /// | 400 with neither | bisected |
  /// | 413 | halved |
  /// | 429 | kept for 30 s, or for an hour if a user or a device is above the daily quota |
  public func answer(_ response: HTTPTransportResponse, to events: [TrackingData]) -> WireAnswer {
    let members = EventValue.members(of: response)
    let error = members["error"]?.text ?? ""
    switch response.status {
    case 200..<300: return .delivered(warning: Self.missing(members["events_ingested"]?.count, of: events.count))
    case 400:
      // The response repeats the key, which must not be logged.
      if error.hasPrefix("Invalid API key") { return .refused(.reported("Invalid API key")) }
      if let field = members["missing_field"]?.text { return .refused(.reported("the request misses \(field)")) }
      let rejected = Self.rejected(members, events)
      return rejected.isEmpty ? .invalid(error.isEmpty ? "400" : "400: \(error)") : .rejected(rejected)
    case 429:
      let isOverQuota = ["exceeded_daily_quota_users", "exceeded_daily_quota_devices"].contains {
        members[$0].map { !$0.members.isEmpty } ?? false
      }
      return .retry(
        .reported("429: \(error.isEmpty ? "throttled" : error)"),
        after: isOverQuota ? .seconds(3600) : Self.throttleWait)
    default: return WireAnswer(status: response.status)
    }
  }

  private static func missing(_ ingested: Int64?, of count: Int) -> String? {
    guard let ingested, ingested >= 0, ingested < count else { return nil }
    return "Amplitude accepted \(ingested) of \(count) events and does not name the others"
  }

  /// The events that the response names by position, with the reasons.
  private static func rejected(_ members: [String: EventValue], _ events: [TrackingData]) -> [EventID: String] {
    var rejected: [EventID: String] = [:]
    for (key, words) in [
      ("events_with_invalid_fields", "is invalid"), ("events_with_missing_fields", "is missing"),
      ("events_with_invalid_id_lengths", "is too short"),
    ] {
      for (field, places) in (members[key]?.members ?? [:]).sorted(by: { $0.key < $1.key }) {
        for place in places.places(below: events.count) where rejected[events[place].id] == nil {
          rejected[events[place].id] = "\(field) \(words)"
        }
      }
    }
    for place in members["silenced_events"]?.places(below: events.count) ?? [] where rejected[events[place].id] == nil {
      rejected[events[place].id] = "its device is silenced"
    }
    return rejected
  }
}
