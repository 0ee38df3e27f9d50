public import DualSendCore
public import DualSendTracking

/// A batch for PostHog: `POST https://us.i.posthog.com/batch/` (in the EU `https://eu.i.posthog.com/batch/`).
///
/// | field | from |
/// |---|---|
/// | `event`, `properties` | the event's name and its whole payload |
/// | `uuid`, `timestamp` | the event's id and time |
/// | `distinct_id` | ``IdentityParameters/user``, else ``IdentityParameters/unit``; an event needs one of them |
/// | `properties.$session_id`, `properties.$device_id` | ``IdentityParameters/session``, ``IdentityParameters/device`` |
///
/// A name and a `distinct_id` have at most 200 characters: PostHog would cut a longer one. Such an event becomes a dead letter.
///
/// Limits: 20 MB for a request (<https://posthog.com/docs/api/capture>), and 900 KiB for an event, the most that
/// PostHog's own clients send.
public struct PostHogFormat: WireFormat, Hashable {
  private static let maximumCharacters = 200

  /// The project's API key.
  public var apiKey: String
  /// The key: events of one key are never sent with another.
  public var tenant: String? { apiKey }
  /// The parameters that identify the user, unit, session and device.
  public var identity: IdentityParameters
  /// The collector's limits.
  public var limits: WireRequest.Limits

  /// Creates the format.
  public init(
    apiKey: String, identity: IdentityParameters = IdentityParameters(),
    limits: WireRequest.Limits = WireRequest.Limits(bytes: 20_000_000, eventBytes: 900 << 10)
  ) {
    self.apiKey = apiKey
    self.identity = identity
    self.limits = limits
  }

  /// Makes a batch with the key in its body.
  public func request(for events: ArraySlice<TrackingData>, sentAt: Int64) -> WireRequest {
    let sentAt = EventValue.string(Timestamp.text(milliseconds: sentAt)).canonicalJSON
    return WireRequest(
      of: events, limits: limits, encodings: [.gzip], opening: listOpening(["api_key": .string(apiKey)], list: "batch"),
      closing: Array("],\"sent_at\":".utf8) + sentAt + Array("}".utf8)
    ) { event throws(WireRequest.Refusal) in
      let payload = try event.namedPayload()
      let identity = Identity(payload, self.identity)
      guard let id = identity.user ?? identity.unit else {
        throw .withoutIdentity(self.identity.user + self.identity.unit)
      }
      for (what, text) in [("name", event.name), ("distinct_id", id)]
      where text.unicodeScalars.count > Self.maximumCharacters {
        throw WireRequest.Refusal("the \(what) has more than \(Self.maximumCharacters) characters")
      }
      var properties = payload
      if let session = identity.session, properties["$session_id"] == nil { properties["$session_id"] = session }
      if let device = identity.device, properties["$device_id"] == nil { properties["$device_id"] = .string(device) }
      return object([
        "event": .string(event.name), "distinct_id": .string(id), "properties": .object(properties),
        "uuid": .string(event.id.description), "timestamp": .string(Timestamp.text(milliseconds: event.time)),
      ]).canonicalJSON
    }
  }

  /// Reads the status. A 2xx whose `quota_limited` contains `events` accepted nothing, so delivery pauses.
  public func answer(_ response: HTTPTransportResponse, to _: [TrackingData]) -> WireAnswer {
    let answer = WireAnswer(status: response.status)
    guard case .delivered = answer, case .array(let limited)? = EventValue.members(of: response)["quota_limited"],
      !limited.isEmpty
    else { return answer }
    if limited.contains("events") { return .refused(.reported("PostHog's quota for events is used up")) }
    let names = limited.compactMap(\.text).joined(separator: ", ")
    return .delivered(warning: "PostHog's quota is used up for \(names); such events of the batch are lost")
  }
}

extension WireFormat where Self == PostHogFormat {
  /// PostHog's batch.
  public static func postHog(apiKey: String, identity: IdentityParameters = IdentityParameters()) -> Self {
    Self(apiKey: apiKey, identity: identity)
  }
}
