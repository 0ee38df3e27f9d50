import DualSendCore

/// One of the app's own signposts, as `mxSignpost` sets them.
public struct HealthSignpost: Sendable {
  /// The category of its log handle.
  public internal(set) var category = ""
  /// Its name.
  public internal(set) var name = ""
  /// What was measured: the metrics whose names begin with `signpost`.
  public internal(set) var readings: [HealthReading] = []
}

extension PayloadReader {
  mutating func signposts(_ node: JSONNode, at path: EventPath) -> [HealthSignpost] {
    elements(node, at: path).map { signpost($0.node, at: $0.path) }
  }

  private mutating func signpost(_ node: JSONNode, at path: EventPath) -> HealthSignpost {
    var signpost = HealthSignpost()
    var rest: [JSONNode.Member] = []
    for member in members(node, at: path) {
      switch member.key {
      case "signpostCategory": signpost.category = text(member.value, at: path.appending(member.key)) ?? ""
      case "signpostName": signpost.name = text(member.value, at: path.appending(member.key)) ?? ""
      default: rest.append(member)
      }
    }
    signpost.readings = readings(rest, at: path, in: .signpost)
    return signpost
  }
}
