import DualSendCore
import DualSendTracking

/// The parameters of a payload that hold identities, which formats copy to their collector's fields.
///
/// The parameters also stay in the payload. If there are several names, the first with a non-empty string or an integer
/// is used.
public struct IdentityParameters: Sendable, Hashable {
  /// The signed-in user.
  public var user: [String]
  /// The unit: an installation, or an anonymous visitor.
  public var unit: [String]
  /// The session.
  public var session: [String]
  /// The device.
  public var device: [String]
  /// The unit of events whose payload has neither a user nor a unit, such as the installation's ID. Without it,
  /// collectors that require one get no such event.
  public var fallbackUnit: String?

  /// Creates the names; by default `user_id`, `unit_id`, `session_id` and `device_id`.
  public init(
    user: [String] = ["user_id"], unit: [String] = ["unit_id"], session: [String] = ["session_id"],
    device: [String] = ["device_id"], fallbackUnit: String? = nil
  ) {
    self.user = user
    self.unit = unit
    self.session = session
    self.device = device
    self.fallbackUnit = fallbackUnit
  }
}

/// The identity in an event's payload.
struct Identity {
  let user: String?
  let unit: String?
  let session: EventValue?
  let device: String?

  init(_ payload: [String: EventValue], _ parameters: IdentityParameters) {
    func first(_ names: [String]) -> EventValue? {
      names.lazy.compactMap { payload[$0] }.first { $0.idText != nil }
    }
    user = first(parameters.user)?.idText
    let unit = first(parameters.unit)?.idText
    self.unit = unit ?? (user == nil ? parameters.fallbackUnit : nil)
    session = first(parameters.session)
    device = first(parameters.device)?.idText
  }
}

extension EventValue {
  /// The text of an id; `nil` if the value is not an id.
  var idText: String? {
    switch self {
    case .string(let text): text.isEmpty ? nil : text
    case .int(let number): String(number)
    case .uint(let number): String(number)
    default: nil
    }
  }
}

extension TrackingData {
  /// The payload of an event, with its decision if it has one. Refuses an event without a name.
  func namedPayload() throws(WireRequest.Refusal) -> [String: EventValue] {
    if name.isEmpty { throw WireRequest.Refusal("the event has no name") }
    guard var payload = readPayload() else { throw WireRequest.Refusal("the payload cannot be read") }
    if let decision { payload[CarriedDecision.key] = .string(decision.description) }
    return payload
  }
}

extension WireRequest.Refusal {
  /// The refusal of an event without an identity, for collectors that require one.
  static func withoutIdentity(_ parameters: [String]) -> Self {
    Self("no user and no unit: the payload has none of the parameters \(parameters.joined(separator: ", "))")
  }
}
