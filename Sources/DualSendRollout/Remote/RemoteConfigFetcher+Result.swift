public import DualSendCore

extension RemoteConfigFetcher {
  /// What came of fetching a rollout, or of offering one.
  public enum FetchResult: Sendable, Hashable {
    /// A new rollout was accepted. It is in force if it is a kill, else it waits for ``RemoteConfigFetcher/activate()``.
    case fresh(isInForce: Bool)
    /// The server says that nothing has changed, or sent what is known already.
    case unchanged
    /// No request was made, because it is too early for one. It may be tried again after this time.
    case throttled(for: Duration)
    /// There is nothing new to use. What was in force still is.
    case failed(RemoteConfigFetcher.Failure)
  }
}

extension RemoteConfigFetcher {
  /// Why a rollout could not be fetched, or was refused.
  public enum Failure: Error, Sendable, Hashable {
    /// The fetcher has no address to fetch from.
    case noAddress
    /// There was no usable answer.
    case noAnswer(HTTPTransportError)
    /// The server answered with this status.
    case status(Int)
    /// The offered bytes are more than the fetcher takes.
    case tooLarge(limit: Int)
    /// The document cannot be read, is of a higher format, or leaves somebody without a sink.
    case invalid(DocumentError)
    /// The document is older than the one that is known.
    case replayed(revision: Int64, known: Int64)
    /// The document has the revision of the one that is known, but says something else.
    case conflict(revision: Int64)
    /// Public keys are configured, and the document has no signature.
    case unsigned
    /// Public keys are configured, and what should be the signature is not 64 bytes in base64.
    case brokenSignature
    /// Public keys are configured, and none of them made the signature.
    case wronglySigned
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
    }
  }

  /// Whether the server, not its document, is in trouble, so that it should be left alone for a while.
  var isServerTrouble: Bool {
    switch self {
    case .noAnswer(.responseTooLarge): false
    case .noAnswer, .status: true
    case .noAddress, .tooLarge, .invalid, .replayed, .conflict, .unsigned, .brokenSignature, .wronglySigned: false
    }
  }

  /// Whether no server was reached at all.
  var isUnreachable: Bool {
    switch self {
    case .noAnswer(.connectionFailed), .noAnswer(.notConnected), .noAnswer(.cancelled): true
    default: false
    }
  }
}
