public import DualSendCore
public import Foundation

extension RemoteConfigFetcher {
  /// How a ``RemoteConfigFetcher`` behaves.
  public struct Options: Sendable {
    /// Where the document is; `nil` where rollouts are only offered.
    public var url: URL?
    /// Where the server streams what is newly published (`text/event-stream`); `nil`, the default, leaves it at polling.
    ///
    /// Each event is a hint to fetch the document at ``url``; its data may be the new revision's number.
    public var streamURL: URL?
    /// Further header fields of each request.
    public var headers: [String: String]
    /// After an answer, no request goes for so long.
    public var minimumInterval: Duration
    /// The longest time a fetch takes, a signature's file included.
    public var timeout: Duration
    /// The longest document accepted, in bytes, counted after any content encoding is undone.
    public var maximumBytes: Int
    /// How long to leave a server alone that answers badly or not at all.
    public var backoff: RetryBackoff
    /// The keys that documents may be signed with; empty accepts unsigned ones. Two at once allow a rotation.
    public var publicKeys: [RolloutPublicKey]
    /// Whether a document may have a lower revision than the known one, or the same with other content.
    public var allowsAnyRevision: Bool
    /// Whether a kill is in force at once: a rollout that evicts somebody from the new tracker or from a named sink of its
    /// side, or leaves somebody without a sink.
    public var activatesKillsAtOnce: Bool

    /// Creates options; by default at most one request a minute, 10 s and 1 MiB each.
    public init(
      url: URL?, streamURL: URL? = nil, headers: [String: String] = [:], minimumInterval: Duration = .seconds(60),
      timeout: Duration = .seconds(10), maximumBytes: Int = 1 << 20, backoff: RetryBackoff = .fullJitter,
      publicKeys: [RolloutPublicKey] = [], allowsAnyRevision: Bool = false, activatesKillsAtOnce: Bool = true
    ) {
      self.url = url
      self.streamURL = streamURL
      self.headers = headers
      self.minimumInterval = minimumInterval
      self.timeout = timeout
      self.maximumBytes = maximumBytes
      self.backoff = backoff
      self.publicKeys = publicKeys
      self.allowsAnyRevision = allowsAnyRevision
      self.activatesKillsAtOnce = activatesKillsAtOnce
    }
  }
}
