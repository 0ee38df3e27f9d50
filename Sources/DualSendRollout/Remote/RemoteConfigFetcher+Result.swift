public import DualSendCore

extension RemoteConfigFetcher {
  /// The result of fetching or offering a rollout.
  public enum FetchResult: Sendable, Hashable {
    /// A new rollout was accepted. A kill is in force; another rollout waits for ``RemoteConfigFetcher/activate()``.
    case fresh(isInForce: Bool)
    /// The document has not changed.
    case unchanged
    /// No request was made. The next one is allowed after this time.
    case throttled(for: Duration)
    /// No new rollout was accepted. The rollout in force does not change.
    case failed(RemoteConfigFetcher.Failure)
  }
}

extension RemoteConfigFetcher {
  /// The reason why a rollout could not be fetched or was refused.
  public enum Failure: Error, Sendable, Hashable {
    /// The fetcher has no address.
    case noAddress
    /// There was no usable response.
    case noAnswer(HTTPTransportError)
    /// The server responded with this status.
    case status(Int)
    /// The document exceeds the size limit.
    case tooLarge(limit: Int)
    /// The document is invalid, has a higher format, or leaves units without a sink.
    case invalid(DocumentError)
    /// The document's revision is lower than the known one.
    case replayed(revision: Int64, known: Int64)
    /// The document has the known revision, but other content.
    case conflict(revision: Int64)
    /// The document has no signature, but public keys are configured.
    case unsigned
    /// The signature is not 64 bytes in base64.
    case brokenSignature
    /// None of the configured public keys verifies the signature.
    case wronglySigned
    /// Public keys are configured, but there is no ``RolloutSignatureVerifier``.
    case noVerifier
  }
}

extension RemoteConfigFetcher.Failure: CustomStringConvertible {
  /// One factual line; several for a document with several faults.
  public var description: String {
    switch self {
    case .noAddress: "there is no address to fetch from"
    case .noAnswer(let error): error.description
    case .status(let status): "the server answered with status \(status)"
    case .tooLarge(let limit): "the document is longer than \(limit) bytes"
    case .invalid(let error): error.description
    case .replayed(let revision, let known): "revision \(revision) is older than revision \(known), which is known"
    case .conflict(let revision): "revision \(revision) is known, and said something else"
    case .unsigned: "the document is not signed"
    case .brokenSignature: "the document's signature is not 64 bytes in base64"
    case .wronglySigned: "the document is not signed with a key that is configured"
    case .noVerifier:
      "this app cannot check signatures: enable the trait SwiftCrypto of DualSend, and set the fetcher's option `verifier`"
        + " to `.ed25519` of DualSendSignatures"
    }
  }

  /// Whether the server failed, not its document, so that the back-off applies.
  var isServerTrouble: Bool {
    switch self {
    case .noAnswer(.responseTooLarge): false
    case .noAnswer, .status: true
    case .noAddress, .tooLarge, .invalid, .replayed, .conflict, .unsigned, .brokenSignature, .wronglySigned,
      .noVerifier:
      false
    }
  }

  /// Whether the request did not reach a server.
  var isUnreachable: Bool {
    switch self {
    case .noAnswer(.connectionFailed), .noAnswer(.connectionClosed), .noAnswer(.notConnected), .noAnswer(.cancelled):
      true
    default: false
    }
  }
}
