/// One step of the difference between two sequences.
public struct EditStep: Sendable, Hashable {
  /// What happens to an element.
  public enum Kind: String, Sendable {
    case same, removed, added

    /// The mark of a line in a textual diff.
    public var mark: Character {
      switch self {
      case .same: " "
      case .removed: "-"
      case .added: "+"
      }
    }
  }

  /// The kind of step.
  public let kind: Kind
  /// The offset in the old sequence; for an added element, the offset before which it is added.
  public let old: Int
  /// The offset in the new sequence; for a removed element, the offset at which it is missing.
  public let new: Int
}

extension CollectionDifference {
  /// The steps in reading order. In a replacement, removals come first.
  ///
  /// - Parameters:
  ///   - oldCount: the length of the old sequence.
  ///   - newCount: the length of the new sequence.
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
