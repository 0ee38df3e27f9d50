/// One of the app's own signposts, as `mxSignpost` sets them.
public struct HealthSignpost: Sendable, Hashable {
  /// The category of its log handle.
  public var category: String
  /// Its name.
  public var name: String
  /// What was measured: the metrics whose names begin with `signpost`.
  public var readings: [HealthReading]

  /// Creates a signpost.
  public init(category: String, name: String, readings: [HealthReading] = []) {
    self.category = category
    self.name = name
    self.readings = readings
  }
}
