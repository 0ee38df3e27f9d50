public import DualSendCore
public import DualSendTracking
import Foundation

/// A batch of `track` calls for Segment, `POST https://api.segment.io/v1/batch`, and for RudderStack and others, `POST
/// <data plane>/v1/batch`.
///
/// | field | from |
/// |---|---|
/// | `event`, `properties` | the event's name and its whole payload |
/// | `messageId`, `timestamp` | the event's id and time |
/// | `userId`, `anonymousId` | ``IdentityParameters/user``, ``IdentityParameters/unit``; an event needs one of them |
/// | `context.device.id`, `context.sessionId` | ``IdentityParameters/device``, ``IdentityParameters/session`` |
///
/// Limits: 500 KB and 2,500 events for a batch, 32 KB for an event
/// (<https://segment.com/docs/connections/sources/catalog/libraries/server/http-api/#max-request-size>). Segment
/// responds with 400 to larger requests. To more events it responds with 200 but does not keep all of them.
public struct SegmentFormat: WireFormat, Hashable {
  /// The write key of the source.
  public var writeKey: String
  /// The key: events of one key are never sent with another.
  public var tenant: String? { writeKey }
  /// The parameters that identify the user, unit, session and device.
  public var identity: IdentityParameters
  /// The collector's limits.
  public var limits: WireRequest.Limits

  /// Creates the format.
  public init(
    writeKey: String, identity: IdentityParameters = IdentityParameters(),
    limits: WireRequest.Limits = WireRequest.Limits(events: 2500, bytes: 500_000, eventBytes: 32 << 10)
  ) {
    self.writeKey = writeKey
    self.identity = identity
    self.limits = limits
  }

  /// Makes a batch. The write key is the user name of HTTP basic authentication.
  public func request(for events: ArraySlice<TrackingData>, sentAt: Int64) -> WireRequest {
    let credentials = Data("\(writeKey):".utf8).base64EncodedString()
    let sentAt = EventValue.string(Timestamp.text(milliseconds: sentAt)).canonicalJSON
    return WireRequest(
      of: events, limits: limits,
      headers: ["Content-Type": "application/json", "Authorization": "Basic \(credentials)"], encodings: [.gzip],
      opening: Array("{\"batch\":[".utf8), closing: Array("],\"sentAt\":".utf8) + sentAt + Array("}".utf8)
    ) { event throws(WireRequest.Refusal) in
      let payload = try event.namedPayload()
      let identity = Identity(payload, self.identity)
      guard identity.user != nil || identity.unit != nil else {
        throw .withoutIdentity(self.identity.user + self.identity.unit)
      }
      let context = object([
        "device": identity.device.map { ["id": .string($0)] }, "sessionId": identity.session,
      ])
      return object([
        "type": "track", "event": .string(event.name), "properties": .object(payload),
        "messageId": .string(event.id.description), "timestamp": .string(Timestamp.text(milliseconds: event.time)),
        "userId": EventValue(identity.user), "anonymousId": EventValue(identity.unit),
        "context": context.members.isEmpty ? .none : context,
      ]).canonicalJSON
    }
  }

  /// Reads the status and the collector's `message`. A 2xx with `"success": false` is an invalid batch.
  public func answer(_ response: HTTPTransportResponse, to _: [TrackingData]) -> WireAnswer {
    let answer = WireAnswer(status: response.status)
    let members = EventValue.members(of: response)
    let words = "\(response.status)" + (members["message"]?.text.map { ": \($0)" } ?? "")
    switch answer {
    case .delivered: return members["success"] == false ? .invalid(words) : answer
    case .invalid: return .invalid(words)
    default: return answer
    }
  }
}

extension WireFormat where Self == SegmentFormat {
  /// Segment's batch, which RudderStack and others take too.
  public static func segment(writeKey: String, identity: IdentityParameters = IdentityParameters()) -> Self {
    Self(writeKey: writeKey, identity: identity)
  }
}
