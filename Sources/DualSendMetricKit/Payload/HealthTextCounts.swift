/// What was met while the texts of payloads were read. Each is one of the payload's ``HealthMetricPayload/findings``
/// too, with its place.
public struct HealthTextCounts: Sendable, Hashable {
  /// Numbers of two readings that nothing decided, taken as grouped digits (DS0901).
  public internal(set) var ambiguousNumbers = 0
  /// Texts that are no quantity, kept as they are (DS0902).
  public internal(set) var unreadableTexts = 0
  /// Units known in no language, kept as they are (DS0903).
  public internal(set) var unknownUnits = 0
  /// Containers that were emptied because they are nested too deep, such as the far end of a call stack (DS0904).
  public internal(set) var emptiedContainers = 0

  /// Creates counts of nothing.
  public init() {}

  static func += (left: inout HealthTextCounts, right: HealthTextCounts) {
    left.ambiguousNumbers += right.ambiguousNumbers
    left.unreadableTexts += right.unreadableTexts
    left.unknownUnits += right.unknownUnits
    left.emptiedContainers += right.emptiedContainers
  }
}
