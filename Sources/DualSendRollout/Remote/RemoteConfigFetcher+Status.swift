public import DualSendCore

extension RemoteConfigFetcher {
  /// The status of a fetcher.
  public struct Status: Sendable, Hashable {
    /// The origin of the rollout in force.
    public enum Source: String, Sendable, Hashable {
      /// The in-app default: no other rollout was stored, or it could not be read.
      case inAppDefault
      /// The last valid rollout of an earlier launch, not confirmed in this one.
      case cached
      /// Fetched, offered or confirmed in this launch.
      case fresh
    }

    /// The source and the last result in one value.
    public enum State: Sendable, Hashable {
      /// The in-app default is in force, and no fetch was tried.
      case `default`
      /// The last valid rollout of an earlier launch is in force, and no fetch was tried.
      case cached
      /// The last fetch succeeded.
      case fresh
      /// The last fetch was throttled.
      case throttled(for: Duration)
      /// The last fetch failed. ``Status/source`` gives the origin of the rollout in force.
      case failed(RemoteConfigFetcher.Failure)
    }

    /// The origin of the rollout in force.
    public internal(set) var source: Source
    /// The revision in force; `nil` for booleans and for a default without a document.
    public internal(set) var revision: Int64?
    /// Whether a newer rollout waits for ``RemoteConfigFetcher/activate()``.
    public internal(set) var isActivationPending = false
    /// The result of the last fetch; `nil` before the first.
    public internal(set) var lastResult: RemoteConfigFetcher.FetchResult?
    /// Whether a stream of live updates is open.
    public internal(set) var isStreaming = false

    init(of rollout: VerifiedRollout) {
      source = rollout.source
      revision = rollout.snapshot.revision
    }

    mutating func adopt(_ rollout: VerifiedRollout) {
      source = rollout.source
      revision = rollout.snapshot.revision
    }

    /// The source and the last result in one value.
    public var state: State {
      switch lastResult {
      case .throttled(let time): return .throttled(for: time)
      case .failed(let failure): return .failed(failure)
      case .fresh, .unchanged: return .fresh
      case nil: break
      }
      switch source {
      case .inAppDefault: return .default
      case .cached: return .cached
      case .fresh: return .fresh
      }
    }
  }
}

// MARK: - Results

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
    /// The document is invalid, or has a higher format.
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
    /// The document names another ``RemoteConfigFetcher/Options/audience`` than the app's, or none.
    case otherAudience(String?, expected: String)
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
    case .otherAudience(let audience, let expected):
      "the document is for \(audience?.printable() ?? "no named audience"), and this app takes those for \(expected.printable())"
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
      .otherAudience, .noVerifier:
      false
    }
  }

  /// Whether the request did not reach a server.
  var isUnreachable: Bool {
    switch self {
    case .noAnswer(.connectionFailed), .noAnswer(.connectionClosed), .noAnswer(.cancelled):
      true
    default: false
    }
  }
}

// MARK: - Problems

extension RemoteConfigFetcher {
  /// A problem that the fetcher reports and continues after. Texts are the system's messages.
  public enum Problem: Sendable, Hashable {
    /// A rollout could not be fetched, or was refused.
    case failed(RemoteConfigFetcher.Failure)
    /// The storage cannot be read. The in-app default is in force.
    case cacheNotReadable(String)
    /// The stored rollout is damaged, has another format or lacks a required signature. It is ignored.
    case cacheDamaged(String)
    /// The rollout could not be stored, so the next launch will not have it.
    case cacheNotWritten(String)
    /// A new document is valid, and may not say what is meant: a warning that `dualsend validate` gives, too. Once for each.
    case questionable(String)
    /// The stream of live updates failed. It is opened again, and polling continues.
    case streamInterrupted(String)
  }
}

extension RemoteConfigFetcher.Problem: CustomStringConvertible {
  /// One factual line.
  public var description: String {
    switch self {
    case .failed(let failure): failure.description
    case .cacheNotReadable(let reason): "the stored rollout cannot be read: \(line(reason))"
    case .cacheDamaged(let reason): "the stored rollout was ignored: \(line(reason))"
    case .cacheNotWritten(let reason): "the rollout cannot be stored: \(line(reason))"
    case .questionable(let warning): "the new rollout: \(line(warning))"
    case .streamInterrupted(let reason): "live updates are interrupted: \(line(reason))"
    }
  }

  private func line(_ reason: String) -> String {
    reason.hidingSecrets.printable(limit: PrintableText.lineLimit)
  }
}
