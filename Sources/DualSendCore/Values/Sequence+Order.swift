extension Sequence {
  /// Sorts the elements, like `sorted(by:)`. Stable.
  ///
  /// The standard library's sort is compiled again for every type of element and takes 5 KB each time. This function sorts
  /// positions, so all its callers share one copy. Use it where a few elements are sorted now and then; it is slower.
  package func inOrder(by precedes: (Element, Element) -> Bool) -> [Element] {
    let elements = Array(self)
    guard elements.count > 1 else { return elements }
    return positions(elements.count) { precedes(elements[$0], elements[$1]) }.map { elements[$0] }
  }
}

extension Sequence where Element: Comparable {
  /// Sorts the elements, like `sorted()`, with the code of ``inOrder(by:)``.
  package func inOrder() -> [Element] {
    inOrder(by: <)
  }

  /// Sorts the elements and leaves out those that are equal to another one.
  package func distinctInOrder() -> [Element] {
    var distinct: [Element] = []
    for element in inOrder() where distinct.last.map({ $0 < element }) ?? true { distinct.append(element) }
    return distinct
  }
}

@inline(never)
private func positions(_ count: Int, by precedes: (Int, Int) -> Bool) -> [Int] {
  (0..<count).sorted(by: precedes)
}
