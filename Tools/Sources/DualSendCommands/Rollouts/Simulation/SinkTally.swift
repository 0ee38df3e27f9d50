import DualSendRollout

/// How many events one named sink would have received, beside what is to be expected.
struct SinkTally {
  /// How many events the sink would have received.
  private(set) var received = 0
  /// How many events are to be expected, in parts of ``RolloutBucket/count``: exact, whatever the units.
  private(set) var expectedParts = 0

  mutating func add(_ isReceived: Bool, expecting parts: Int) {
    if isReceived { received += 1 }
    expectedParts += parts
  }
}
