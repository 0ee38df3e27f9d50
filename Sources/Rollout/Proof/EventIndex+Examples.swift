extension EventIndex {
  /// A name that has this list, checked by the lookup itself.
  func exampleName(ofList list: Int) -> String? {
    for atom in atoms where atom.list == list {
      if let name = exampleName(of: atom) { return name }
    }
    return nil
  }

  /// A name of this set: the name itself, or the shortest continuation of the prefix that no longer pattern covers.
  func exampleName(of atom: Atom) -> String? {
    switch atom.pattern {
    case .exact(let name): return name
    case .prefix(let prefix):
      // A longer pattern takes away one continuation at most, so one more than there are patterns suffices.
      let letters = "abcdefghijklmnopqrstuvwxyz".unicodeScalars.map(\.value)
      let beyond = (0x4E00...0x9FFF).prefix(atoms.count + 1).map { UInt32($0) }
      for scalar in (letters + beyond).lazy.compactMap(UnicodeScalar.init) {
        let name = prefix + String(Character(scalar))
        if self.list(for: name) == atom.list { return name }
      }
      return nil
    }
  }
}
