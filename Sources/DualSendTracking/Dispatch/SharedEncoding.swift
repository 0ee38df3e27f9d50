import DualSendCore

/// The encoding of one event that several trackers store alike.
package final class SharedEncoding: Sendable {
  let encoded = Once<EncodedEvent>()

  package init() {}
}

/// An event as the store keeps it, and the values that are not in it.
struct EncodedEvent: Sendable {
  let data: TrackingData
  let leftOut: [EventValue.ConversionIssue]
}
