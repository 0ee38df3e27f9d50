/// A second type of the same name: it once was a module.
enum Legacy {
  final class Analytics {
    private(set) var lines: [String] = []

    func track(_ name: String, parameters: [String: Any]?) {
      lines.append(name)
    }
  }

  /// Another function of the same name and labels, of music.
  struct Disc {
    func track(_ name: String, parameters: [Int]) -> String { "\(name) \(parameters.count)" }
  }
}

/// Uses them.
func playLegacy() -> Int {
  let legacy = Legacy.Analytics()
  legacy.track("legacy_only", parameters: nil)
  let disc = Legacy.Disc()
  return disc.track("one", parameters: [1, 2]).count + legacy.lines.count
}
