import DualSendCore
import DualSendTracking

/// Who one event is about, as its payload says.
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
  /// The text of an id; `nil` for what is none.
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
  /// The payload of an event that has a name, with what its app decided for it, if it is stamped.
  func namedPayload() throws(WireRequest.Refusal) -> [String: EventValue] {
    if name.isEmpty { throw WireRequest.Refusal("the event has no name") }
    guard var payload = readPayload() else { throw WireRequest.Refusal("the payload cannot be read") }
    if let decision { payload[DecisionStamp.key] = .string(decision.description) }
    return payload
  }
}

extension WireRequest.Refusal {
  /// Why an event cannot go to a collector that demands to know whom it is about.
  static func withoutIdentity(_ parameters: [String]) -> Self {
    Self("no user and no unit: the payload has none of the parameters \(parameters.joined(separator: ", "))")
  }
}
