extension EventIndex {
  /// A name of this set, verified by the lookup: the name itself, or the prefix with one more character.
  ///
  /// `nil` only if longer patterns match every continuation. The number of tries grows with the number of patterns.
  func exampleName(of atom: Atom) -> String? {
    guard case .prefix(let prefix) = atom.pattern else { return atom.pattern.stem }
    let letters = Array("abcdefghijklmnopqrstuvwxyz".unicodeScalars)
    if let name = letters.lazy.map({ prefix + String(Character($0)) }).first(where: { list(for: $0) == atom.list }) {
      return name
    }
    let all = (0...0x10FFFF as ClosedRange<UInt32>).lazy.compactMap(UnicodeScalar.init)
    return all.map { prefix + String(Character($0)) }.first { list(for: $0) == atom.list }
      ?? (list(for: prefix) == atom.list ? prefix : nil)
  }
}
