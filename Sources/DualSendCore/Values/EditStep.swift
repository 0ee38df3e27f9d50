/// One step of the difference between two sequences.
package struct EditStep: Sendable, Hashable {
  /// What happens to an element.
  package enum Kind: String, Sendable {
    case same, removed, added

    /// The mark of a line in a textual diff.
    package var mark: Character {
      switch self {
      case .same: " "
      case .removed: "-"
      case .added: "+"
      }
    }
  }

  /// The kind of step.
  package let kind: Kind
  /// The offset in the old sequence; for an added element, the offset before which it is added.
  package let old: Int
  /// The offset in the new sequence; for a removed element, the offset at which it is missing.
  package let new: Int
}

extension EditStep {
  /// The steps from one sequence to another, in reading order. In a replacement, removals come first.
  ///
  /// Shortest for what is short. Longer sequences are first cut at elements that each of them has once, and a part
  /// without such elements is replaced as a whole, so that the time stays near that of sorting.
  package static func steps<Element: Hashable>(from old: [Element], to new: [Element]) -> [EditStep] {
    var matches = Matches(old: old, new: new)
    matches.find(in: old.indices, new.indices, depth: 0)
    var steps: [EditStep] = []
    var (place, other) = (0, 0)
    func replace(until oldEnd: Int, _ newEnd: Int) {
      while place < oldEnd {
        steps.append(EditStep(kind: .removed, old: place, new: other))
        place += 1
      }
      while other < newEnd {
        steps.append(EditStep(kind: .added, old: place, new: other))
        other += 1
      }
    }
    for match in matches.found {
      replace(until: match.old, match.new)
      steps.append(EditStep(kind: .same, old: place, new: other))
      (place, other) = (place + 1, other + 1)
    }
    replace(until: old.count, new.count)
    return steps
  }
}

/// Finds the elements that stay, by the patience of Bram Cohen's diff: between elements that both sides have once.
private struct Matches<Element: Hashable> {
  private static var deepest: Int { 32 }

  let old: [Element]
  let new: [Element]
  /// In increasing order of both.
  private(set) var found: [(old: Int, new: Int)] = []
  /// The pairs of elements that may still be compared each with each.
  private var effort = 4_000_000

  init(old: [Element], new: [Element]) {
    (self.old, self.new) = (old, new)
  }

  mutating func find(in oldRange: Range<Int>, _ newRange: Range<Int>, depth: Int) {
    var (first, second) = (oldRange, newRange)
    while let left = first.first, let right = second.first, old[left] == new[right] {
      found.append((left, right))
      (first, second) = (first.dropFirst(), second.dropFirst())
    }
    var same = 0
    while let left = first.last, let right = second.last, old[left] == new[right] {
      same += 1
      (first, second) = (first.dropLast(), second.dropLast())
    }
    findBetween(first, second, depth: depth)
    for offset in 0..<same { found.append((first.upperBound + offset, second.upperBound + offset)) }
  }

  private mutating func findBetween(_ first: Range<Int>, _ second: Range<Int>, depth: Int) {
    let cost = first.count * second.count
    guard cost > 0 else { return }
    if cost <= effort / 4 {
      effort -= cost
      return findShortest(first, second)
    }
    guard depth < Self.deepest else { return }
    var (place, other) = (first.lowerBound, second.lowerBound)
    let anchors = anchors(first, second)
    guard !anchors.isEmpty else { return }
    for anchor in anchors {
      find(in: place..<anchor.old, other..<anchor.new, depth: depth + 1)
      found.append(anchor)
      (place, other) = (anchor.old + 1, anchor.new + 1)
    }
    find(in: place..<first.upperBound, other..<second.upperBound, depth: depth + 1)
  }

  private mutating func findShortest(_ first: Range<Int>, _ second: Range<Int>) {
    let difference = new[second].difference(from: old[first])
    let (removed, added) = (Set(difference.removals.map(\.offset)), Set(difference.insertions.map(\.offset)))
    let kept = first.indices.filter { !removed.contains($0 - first.lowerBound) }
    found += zip(kept, second.indices.filter { !added.contains($0 - second.lowerBound) }).map { ($0, $1) }
  }

  /// The longest increasing run of elements that each side has once.
  private func anchors(_ first: Range<Int>, _ second: Range<Int>) -> [(old: Int, new: Int)] {
    let (left, right) = (Self.unique(old, first), Self.unique(new, second))
    // For each length, the last pair of the run that ends lowest; and of each pair, the one before it in its run.
    var (tops, before): ([Int], [Int?]) = ([], [])
    let pairs = first.compactMap { place in
      left[old[place]] == place ? right[old[place]].map { (old: place, new: $0) } : nil
    }
    for (index, pair) in pairs.enumerated() {
      var (low, high) = (0, tops.count)
      while low < high {
        let middle = (low + high) / 2
        if pairs[tops[middle]].new < pair.new { low = middle + 1 } else { high = middle }
      }
      before.append(low > 0 ? tops[low - 1] : nil)
      if low < tops.count { tops[low] = index } else { tops.append(index) }
    }
    var run: [(old: Int, new: Int)] = []
    var next = tops.last
    while let index = next {
      run.append(pairs[index])
      next = before[index]
    }
    return run.reversed()
  }

  /// The places of the elements that a range has once.
  private static func unique(_ all: [Element], _ range: Range<Int>) -> [Element: Int] {
    var places: [Element: Int?] = [:]
    for place in range { places.updateValue(places[all[place]] == nil ? place : nil, forKey: all[place]) }
    return places.compactMapValues(\.self)
  }
}

extension CollectionDifference.Change {
  fileprivate var offset: Int {
    switch self {
    case .insert(let offset, _, _), .remove(let offset, _, _): offset
    }
  }
}
