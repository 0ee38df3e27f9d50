extension Sink {
  /// The sinks to which a call or a mutation applies. In a migration, it can only narrow what the rollout allows.
  public enum Scope: Sendable, Hashable {
    /// Every sink; in a migration, those that the rollout selects.
    case all
    /// Only the sinks with these ids.
    case only(Set<Sink.ID>)
    /// All sinks except those with these ids.
    case except(Set<Sink.ID>)

    /// Whether it includes a sink.
    public func includes(_ id: Sink.ID) -> Bool {
      switch self {
      case .all: true
      case .only(let ids): ids.contains(id)
      case .except(let ids): !ids.contains(id)
      }
    }
  }
}
