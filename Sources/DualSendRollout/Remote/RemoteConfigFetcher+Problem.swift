import DualSendCore

extension RemoteConfigFetcher {
  /// Something that a fetcher survived and that somebody should hear of.
  public enum Problem: Sendable, Hashable {
    /// A rollout could not be fetched, or was refused.
    case failed(RemoteConfigFetcher.Failure)
    /// The storage cannot be read; the system's own words. The in-app default is in force.
    case cacheNotReadable(String)
    /// What was stored is damaged, is not signed as it must be now, or is of another format; it was ignored.
    case cacheDamaged(String)
    /// The rollout could not be stored, so the next launch will not know it; the system's own words.
    case cacheNotWritten(String)
    /// The stream of live updates broke off or could not be opened; why. It is tried again, and polling goes on.
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
    case .streamInterrupted(let reason): "live updates are interrupted: \(line(reason))"
    }
  }

  private func line(_ reason: String) -> String {
    reason.hidingSecrets.printable(limit: PrintableText.lineLimit)
  }
}
