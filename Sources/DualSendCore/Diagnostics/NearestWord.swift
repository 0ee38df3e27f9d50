/// The known word nearest to a misspelt one; `nil` if none is near.
///
/// Near means an edit distance (insert, delete, replace, swap neighbours) of at most a third of the word's length, and
/// at least 1.
public func nearestWord(to word: String, among known: some Sequence<String>) -> String? {
  let length = word.count
  let limit = max(1, length / 3)
  // The distance is at least the difference in length, so very long words are rejected without computing it.
  let ranked = known.filter { abs($0.count - length) <= limit }
    .map { (distance: editDistance(word.lowercased(), $0.lowercased()), word: $0) }
  return ranked.filter { $0.distance <= limit }.min { ($0.distance, $0.word) < ($1.distance, $1.word) }?.word
}

/// The restricted Damerau–Levenshtein distance.
func editDistance(_ left: String, _ right: String) -> Int {
  let (a, b) = (Array(left), Array(right))
  var beforePrevious: [Int] = []
  var previous = Array(0...b.count)
  for i in 0..<a.count {
    var current = [i + 1]
    for j in 0..<b.count {
      var best = min(previous[j + 1] + 1, current[j] + 1, previous[j] + (a[i] == b[j] ? 0 : 1))
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, beforePrevious[j - 1] + 1) }
      current.append(best)
    }
    (beforePrevious, previous) = (previous, current)
  }
  return previous[b.count]
}
