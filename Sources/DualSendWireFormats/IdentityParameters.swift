/// Which parameters of an event's payload say who it is about, so that a format can put them where its collector looks.
///
/// The parameters stay in the payload as well. Of several names the first counts whose value is a non-empty text or an
/// integer.
public struct IdentityParameters: Sendable, Hashable {
  /// The signed-in user.
  public var user: [String]
  /// The unit: an installation, or an anonymous visitor.
  public var unit: [String]
  /// The session.
  public var session: [String]
  /// The device.
  public var device: [String]
  /// The unit of an event whose payload names neither a user nor a unit, such as the installation's ID. Collectors that
  /// demand one get no event without.
  public var fallbackUnit: String?

  /// Creates a choice; by default `user_id`, `unit_id`, `session_id` and `device_id`.
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
