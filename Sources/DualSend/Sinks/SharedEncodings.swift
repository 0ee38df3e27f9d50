import DualSendRollout
import DualSendTracking

/// What the sinks of one event store alike: those of a side with the same transform have it encoded once.
struct SharedEncodings {
  private var made: [(side: RolloutSide, transform: (any EventTransform)?, encoding: SharedEncoding)] = []

  /// The encoding for a sink that stores the side's form of the event, changed by this transform.
  mutating func encoding(on side: RolloutSide, by transform: (any EventTransform)?) -> SharedEncoding {
    for other in made where other.side == side && other.transform === transform { return other.encoding }
    let encoding = SharedEncoding()
    made.append((side, transform, encoding))
    return encoding
  }
}
