/// An event that the collector refused or that was damaged in storage, kept for inspection.
public struct DeadLetter: Sendable, Hashable {
  /// The event.
  public let event: TrackingData
  /// The reason, in the collector's words if it gave any.
  public let reason: String

  /// Creates a dead letter.
  public init(event: TrackingData, reason: String) {
    self.event = event
    self.reason = reason
  }

  /// The reason for an event whose body was damaged in storage.
  public static let damaged = "damaged while it waited"
  static let unreadableRow = "a row of the sample tracker that cannot be read"
  private static let unsendableReasons: Set = [damaged, unreadableRow]

  /// Whether the body is an event, so that it can be sent again.
  public var canBeSent: Bool { !Self.unsendableReasons.contains(reason) }
}
