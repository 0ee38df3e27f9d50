import DualSendCore
import DualSendRollout

/// The event names of a sample, sorted by bytes for binary search.
struct SeenNames {
  private let names: [[UInt8]]

  init(_ texts: TrafficSample.Texts) {
    names = texts.all.map { Array($0.text.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
  }

  var count: Int { names.count }

  /// Whether a pattern matches any of the names.
  func contain(_ pattern: EventPattern) -> Bool {
    let stem = Array(pattern.stem.utf8)
    var (low, high) = (0, names.count)
    while low < high {
      let middle = (low + high) / 2
      if names[middle].lexicographicallyPrecedes(stem) { low = middle + 1 } else { high = middle }
    }
    guard low < names.count else { return false }
    return pattern.isPrefix ? names[low].starts(with: stem) : names[low] == stem
  }

  /// The most similar pattern of the same form that matches something.
  ///
  /// - Parameter limit: the largest number of names to compare.
  func nearest(to pattern: EventPattern, among limit: Int) -> String? {
    let texts = names.prefix(limit).map { String(decoding: $0, as: UTF8.self) }
    let stem = pattern.stem
    guard pattern.isPrefix else { return nearestWord(to: stem, among: texts) }
    let dots = stem.count { $0 == "." }
    let stems = Set(texts.compactMap { stem.hasSuffix(".") ? $0.start(dots: dots) : $0.start(like: stem, dots: dots) })
    return nearestWord(to: stem, among: stems.sorted()).map { $0 + "*" }
  }
}

extension EventPattern {
  fileprivate var isPrefix: Bool {
    if case .prefix = self { true } else { false }
  }

  /// The name, or the prefix without `*`.
  fileprivate var stem: String {
    switch self {
    case .exact(let name): name
    case .prefix(let prefix): prefix
    }
  }
}

extension String {
  /// The text up to and including the given number of dots: `home.` of `home.tap` for one; `nil` if there are fewer.
  fileprivate func start(dots: Int) -> String? {
    let parts = split(separator: ".", maxSplits: dots, omittingEmptySubsequences: false)
    return parts.count > dots ? parts.prefix(dots).joined(separator: ".") + "." : nil
  }

  /// A prefix as long as `stem` that ends inside a word, at most to the end of that word.
  fileprivate func start(like stem: String, dots: Int) -> String? {
    let parts = split(separator: ".", maxSplits: dots + 1, omittingEmptySubsequences: false)
    guard parts.count > dots else { return nil }
    return String(parts.prefix(dots + 1).joined(separator: ".").prefix(stem.count))
  }
}
