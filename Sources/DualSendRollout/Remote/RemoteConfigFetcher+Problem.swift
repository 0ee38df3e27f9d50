import DualSendCore

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
    case .streamInterrupted(let reason): "live updates are interrupted: \(line(reason))"
    }
  }

  private func line(_ reason: String) -> String {
    reason.hidingSecrets.printable(limit: PrintableText.lineLimit)
  }
}
