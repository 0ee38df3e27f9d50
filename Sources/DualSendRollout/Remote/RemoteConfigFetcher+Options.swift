public import DualSendCore
public import Foundation

extension RemoteConfigFetcher {
  /// How a ``RemoteConfigFetcher`` behaves.
  public struct Options: Sendable {
    /// The address of the document; `nil` if rollouts are only offered.
    public var url: URL?
    /// The address of a stream of updates (`text/event-stream`); `nil`, the default, for polling only.
    ///
    /// Each event is a hint to fetch the document at ``url``; its data may be the new revision's number.
    public var streamURL: URL?
    /// Additional header fields of each request.
    public var headers: [String: String]
    /// The shortest time between two requests.
    public var minimumInterval: Duration
    /// The longest time of a fetch, including the signature's file.
    public var timeout: Duration
    /// The size limit of a document in bytes, after decompression.
    public var maximumBytes: Int
    /// The delays after an error response or no response.
    public var backoff: RetryBackoff
    /// The keys that may sign documents. If empty, unsigned documents are accepted. Two keys allow a rotation.
    public var publicKeys: [RolloutPublicKey]
    /// Checks signatures. If `nil` and there are public keys, every document is refused with
    /// ``RemoteConfigFetcher/Failure/noVerifier``.
    public var verifier: RolloutSignatureVerifier?
    /// The app and environment whose documents are accepted, such as `shop-ios/production`: a document must name it as its
    /// `audience`. If `nil`, any document is. With keys for several environments, it keeps a signed document of one out of
    /// another.
    public var audience: String?
    /// Whether to accept a lower revision than the known one, or the same revision with other content.
    public var allowsAnyRevision: Bool
    /// Whether a kill is activated at once: a rollout that may take units from the new tracker or from a named sink of its
    /// side, or leave units without a sink. See the article Runbook.
    public var activatesKillsAtOnce: Bool

    /// The scheme, host, port and path of the address. The known revision, the stored document and a server's `Retry-After` belong
    /// to it, whatever token or version the query has. While a key is listed, the revisions that it signed bind.
    package var identity: String {
      guard let url else { return "" }
      guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return url.absoluteString }
      (parts.user, parts.password, parts.query, parts.fragment) = (nil, nil, nil, nil)
      (parts.scheme, parts.host) = (parts.scheme?.lowercased(), parts.host?.lowercased())
      return parts.string ?? url.absoluteString
    }

    /// Creates options; by default at most one request a minute, 10 s and 1 MiB each.
    public init(
      url: URL?, streamURL: URL? = nil, headers: [String: String] = [:], minimumInterval: Duration = .seconds(60),
      timeout: Duration = .seconds(10), maximumBytes: Int = 1 << 20, backoff: RetryBackoff = .fullJitter,
      publicKeys: [RolloutPublicKey] = [], verifier: RolloutSignatureVerifier? = .system, audience: String? = nil,
      allowsAnyRevision: Bool = false, activatesKillsAtOnce: Bool = true
    ) {
      self.url = url
      self.streamURL = streamURL
      self.headers = headers
      self.minimumInterval = minimumInterval
      self.timeout = timeout
      self.maximumBytes = maximumBytes
      self.backoff = backoff
      self.publicKeys = publicKeys
      self.verifier = verifier
      self.audience = audience
      self.allowsAnyRevision = allowsAnyRevision
      self.activatesKillsAtOnce = activatesKillsAtOnce
    }
  }
}
