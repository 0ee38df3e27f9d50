import DualSendCore

/// The encoding of one event that several trackers store. The first to need it makes it.
package final class SharedEncoding: Sendable {
  private let encoded = Locked<EncodedEvent?>(nil)

  package init() {}

  /// Makes the encoding, unless it exists or another tracker is making it. Never waits.
  func prepare(_ make: () -> EncodedEvent) {
    _ = encoded.withLockIfAvailable { Self.value(&$0, make) }
  }

  /// The encoding. Makes it if necessary, or waits for the tracker that is making it.
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

/// An encoded event, and the values that were left out.
struct EncodedEvent: Sendable {
  /// `nil` for an event that a mutation dropped.
  let data: TrackingData?
  let leftOut: [EventValue.ConversionIssue]
}
