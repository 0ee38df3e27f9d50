import DualSendCore

/// The encoding of one event that several trackers store alike: the first that comes to it makes it.
package final class SharedEncoding: Sendable {
  private let encoded = Locked<EncodedEvent?>(nil)

  package init() {}

  /// Makes the encoding, unless it is made or another tracker is at it; never waits.
  func prepare(_ make: () -> EncodedEvent) {
    _ = encoded.withLockIfAvailable { Self.value(&$0, make) }
  }

  /// The encoding, made here if it is not yet; waits for a tracker that is at it.
  func value(_ make: () -> EncodedEvent) -> EncodedEvent {
    encoded.withLock { Self.value(&$0, make) }
  }

  private static func value(_ encoded: inout EncodedEvent?, _ make: () -> EncodedEvent) -> EncodedEvent {
    if let encoded { return encoded }
    let made = make()
    encoded = made
    return made
  }
}

/// An event as the store keeps it, and the values that are not in it.
struct EncodedEvent: Sendable {
  /// `nil` for an event that a mutation dropped.
  let data: TrackingData?
  let leftOut: [EventValue.ConversionIssue]
}
