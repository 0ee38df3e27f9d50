import DualSendCore

extension RemoteConfigFetcher {
  /// Accepts a document from another delivery channel, with the same checks as for a fetched one.
  ///
  /// - Parameters:
  ///   - bytes: the JSON text.
  ///   - signature: its signature in base64; required if public keys are configured.
  /// - Returns: ``FetchResult/fresh(isInForce:)`` if the document is new. It waits for ``activate()`` unless it is a kill.
  @discardableResult
  public func offer(_ bytes: [UInt8], signature: String? = nil) -> RemoteConfigFetcher.FetchResult {
    conclude(take(VerifiedRollout.Text(bytes: bytes, signature: signature)))
  }

  /// Accepts two plain booleans from another delivery channel.
  ///
  /// They have neither revision nor signature: the latest ones always win, and the app is responsible for their origin.
  ///
  /// - Parameters:
  ///   - shouldSendLogToOldLogger: whether the old logger receives all events.
  ///   - shouldSendLogToNewTracker: whether the new tracker receives all events.
  ///   - allowNeither: must be `true` if both booleans are `false`. Prevents losing all events by mistake.
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
