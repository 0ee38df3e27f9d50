/// One step of how an old sequence becomes a new one.
public struct EditStep: Sendable, Hashable {
  /// What happens to an element.
  public enum Kind: String, Sendable {
    case same, removed, added

    /// How a line is marked that this happens to.
    public var mark: Character {
      switch self {
      case .same: " "
      case .removed: "-"
      case .added: "+"
      }
    }
  }

  /// What happens.
  public let kind: Kind
  /// How many elements of the old sequence come before: the element's own offset, unless it is added.
  public let old: Int
  /// How many elements of the new sequence come before: the element's own offset, unless it is removed.
  public let new: Int
}

extension CollectionDifference {
  /// The steps in reading order; of what is replaced, the old comes first.
  ///
  /// - Parameters:
  ///   - oldCount: how many elements the old sequence has.
  ///   - newCount: how many the new one has.
  public func steps(from oldCount: Int, to newCount: Int) -> [EditStep] {
    let removed = Set(removals.map(\.offset))
    let added = Set(insertions.map(\.offset))
    var steps: [EditStep] = []
    var (old, new) = (0, 0)
    while old < oldCount || new < newCount {
      let kind: EditStep.Kind = removed.contains(old) ? .removed : added.contains(new) ? .added : .same
      steps.append(EditStep(kind: kind, old: old, new: new))
      if kind != .added { old += 1 }
      if kind != .removed { new += 1 }
    }
    return steps
  }
}

extension CollectionDifference.Change {
  fileprivate var offset: Int {
    switch self {
    case .insert(let offset, _, _), .remove(let offset, _, _): offset
    }
  }
}
