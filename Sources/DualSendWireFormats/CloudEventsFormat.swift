import DualSendCore
public import DualSendTracking

/// CloudEvents 1.0 in JSON, in the batched content mode of the HTTP binding
/// (<https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/bindings/http-protocol-binding.md>).
///
/// | attribute | from |
/// |---|---|
/// | `type`, `data` | ``typePrefix`` and the event's name, and its whole payload |
/// | `id`, `time` | the event's id and time |
/// | `source` | ``source`` |
/// | `subject` | ``IdentityParameters/user``, else ``IdentityParameters/unit`` |
/// | `sessionid`, `deviceid` (extensions) | ``IdentityParameters/session``, ``IdentityParameters/device`` |
///
/// Limits: 64 KB for an event, the size that every intermediary must forward
public struct CloudEventsFormat: WireFormat, Hashable {
  /// The source of the events: a URI reference, such as `https://app.example/ios`.
  public var source: String
  /// The prefix of each event's name in `type`, such as `com.example.`.
  public var typePrefix: String
  /// The parameters that identify the user, unit, session and device.
  public var identity: IdentityParameters
  /// The compressions that the collector accepts. The binding does not mention compression, so there are none by
  /// default.
  public var encodings: Set<TrackingEndpoint.Compression>
  /// The collector's limits.
  public var limits: WireRequest.Limits

  /// Creates the format.
  public init(
    source: String, typePrefix: String = "", identity: IdentityParameters = IdentityParameters(),
    encodings: Set<TrackingEndpoint.Compression> = [],
    limits: WireRequest.Limits = WireRequest.Limits(eventBytes: 64 << 10)
  ) {
    self.source = source
    self.typePrefix = typePrefix
    self.identity = identity
    self.encodings = encodings
    self.limits = limits
  }

  /// Makes a JSON array of events.
  public func request(for events: ArraySlice<TrackingData>, sentAt _: Int64) -> WireRequest {
    WireRequest(
      of: events, limits: limits, headers: ["Content-Type": "application/cloudevents-batch+json"], encodings: encodings
    ) { event throws(WireRequest.Refusal) in
      let payload = try event.namedPayload()
      let identity = Identity(payload, self.identity)
      let time = Timestamp.isWritable(milliseconds: event.time) ? Timestamp.text(milliseconds: event.time) : nil
      return object([
        "specversion": "1.0", "id": .string(event.id.description), "source": .string(source),
        "type": .string(typePrefix + event.name), "time": EventValue(time), "datacontenttype": "application/json",
        "data": .object(payload), "subject": EventValue(identity.user ?? identity.unit),
        "sessionid": EventValue(identity.session?.idText), "deviceid": EventValue(identity.device),
      ]).canonicalJSON
    }
  }
}

extension WireFormat where Self == CloudEventsFormat {
  /// CloudEvents in JSON, in batches.
  public static func cloudEvents(source: String, identity: IdentityParameters = IdentityParameters()) -> Self {
    Self(source: source, identity: identity)
  }
}
