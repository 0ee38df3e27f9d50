public import DualSendCore

/// One event about the app's health, as the adapter logs it.
public struct HealthEvent: Sendable {
  /// What it is about.
  public let topic: HealthTopic
  /// Its parameters; the article on health metrics has every key.
  public internal(set) var parameters: [String: EventValue]

  /// Its name, such as `health.app_exit.background`.
  public var name: String { topic.eventName }

  /// The parameters as call sites write them, in Swift's own types.
  public var sendableParameters: [String: any Sendable] {
    parameters.mapValues(\.sendableValue)
  }
}

extension EventValue {
  /// The value as an old logger expects it.
  fileprivate var sendableValue: any Sendable {
    switch self {
    case .null: Bool?.none
    case .bool(let flag): flag
    case .int(let number): Int(number)
    case .uint(let number): number
    case .double(let number): number
    case .string(let text): text
    case .array(let elements): elements.map(\.sendableValue)
    case .object(let members): members.mapValues(\.sendableValue)
    case .date(let date): date
    }
  }
}
