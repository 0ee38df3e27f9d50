import DualSendCore

extension RemoteConfigFetcher {
  /// Takes a document that another delivery channel brought, through the same checks as a fetched one.
  ///
  /// - Parameters:
  ///   - bytes: the JSON text.
  ///   - signature: its signature in base64; needed where public keys are configured.
  /// - Returns: ``RemoteConfigFetcher.FetchResult/fresh(isInForce:)`` if it now waits for ``activate()``, or is in force as a kill.
  @discardableResult
  public func offer(_ bytes: [UInt8], signature: String? = nil) -> RemoteConfigFetcher.FetchResult {
    conclude(take(VerifiedRollout.Text(bytes: bytes, signature: signature)))
  }

  /// Takes two plain booleans that another delivery channel brought.
  ///
  /// They have no revision, so the newest ones always count, and no signature: the app vouches for them.
  ///
  /// - Parameter allowNeither: must be `true` if both booleans are `false`, so that events are only lost on purpose.
  @discardableResult
  public func offer(
    shouldSendLogToOldLogger: Bool, shouldSendLogToNewTracker: Bool, allowNeither: Bool = false
  ) -> RemoteConfigFetcher.FetchResult {
    do throws(DocumentError) {
      let snapshot = try RolloutSnapshot(
        shouldSendLogToOldLogger: shouldSendLogToOldLogger, shouldSendLogToNewTracker: shouldSendLogToNewTracker,
        allowNeither: allowNeither)
      return conclude(hold(VerifiedRollout(snapshot, source: .fresh)))
    } catch {
      return conclude(.failed(.invalid(error)))
    }
  }
}
