import DualSendCore
public import DualSendTracking

/// The sample tracker's format: a JSON array of `{"eventId", "eventTime", "payload"}`, where `eventId` is the event's
/// **name**.
///
/// Events have no id, so a collector cannot recognise duplicates. The decision for an event is not sent either.
public struct SampleTrackerFormat: WireFormat, Hashable {
  /// The collector's limits; none are known.
  public var limits: WireRequest.Limits

  /// Creates the format.
  public init(limits: WireRequest.Limits = WireRequest.Limits()) {
    self.limits = limits
  }

  /// Makes an array of events.
  public func request(for events: ArraySlice<TrackingData>, sentAt _: Int64) -> WireRequest {
    WireRequest(of: events, limits: limits) { event throws(WireRequest.Refusal) in
      guard event.readPayload() != nil else { throw WireRequest.Refusal("the payload cannot be read") }
      var writer = CanonicalJSONWriter(capacity: event.body.count)
      writer.raw("{\"eventId\":")
      writer.string(event.name)
      writer.raw(",\"eventTime\":")
      writer.integer(event.time)
      writer.raw(",\"payload\":")
      writer.raw(event.payloadJSON)
      writer.raw("}")
      return writer.bytes
    }
  }
}

extension WireFormat where Self == SampleTrackerFormat {
  /// The sample tracker's format.
  public static var sampleTracker: Self { Self() }
}
