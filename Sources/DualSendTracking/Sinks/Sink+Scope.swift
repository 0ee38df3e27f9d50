extension Sink {
  /// Which sinks a call, or a mutation, is meant for. In a migration it narrows what the rollout allows and never widens
  /// it.
  public enum Scope: Sendable, Hashable {
    /// Every sink; in a migration, those that the rollout selects.
    case all
    /// Of these, those that these ids name.
    case only(Set<Sink.ID>)
    /// Of these, those that these ids do not name.
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
