import DualSendCore
public import DualSendTracking

/// What the sample tracker sent: a JSON array of `{"eventId", "eventTime", "payload"}`, in which `eventId` is the
/// event's **name**.
///
/// Events have no id of their own in it, so a collector cannot recognise an event that was sent twice. What the app decided
/// for an event is not sent either.
public struct SampleTrackerFormat: WireFormat, Hashable {
  /// What the collector takes at most; no limits are known.
  public var limits: WireRequest.Limits

  /// Creates the format.
  public init(limits: WireRequest.Limits = WireRequest.Limits()) {
    self.limits = limits
  }

  /// One array of events.
  public func request(for events: ArraySlice<TrackingData>, sentAt _: Int64) -> WireRequest {
    WireRequest(of: events, limits: limits) { event throws(WireRequest.Refusal) in
      guard event.readPayload() != nil else { throw WireRequest.Refusal("the payload cannot be read") }
      var writer = CanonicalJSONWriter(capacity: event.body.count)
      writer.raw("{\"eventId\":")
      writer.string(event.name)
      writer.raw(",\"eventTime\":")
      writer.integer(event.time)
      writer.raw(",\"payload\":")
      writer.bytes += event.payloadJSON
      writer.raw("}")
      return writer.bytes
    }
  }
}

extension WireFormat where Self == SampleTrackerFormat {
  /// What the sample tracker sent.
  public static var sampleTracker: Self { Self() }
}
