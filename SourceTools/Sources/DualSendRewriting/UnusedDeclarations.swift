public import DualSendSource

/// What a rewrite leaves behind that nothing uses any longer: declarations that were named before, and are named nowhere
/// now but in themselves and in each other.
///
/// Names alone are compared: one of the same name anywhere in the files that were read keeps a declaration. A file that was
/// not read is not asked, such as a test's.
public struct UnusedDeclarations: Sendable {
  /// Sorted by their places after the rewrite; what stands in one of them is not listed for itself.
  public let all: [NamedDeclaration]

  /// Compares sources before and after.
  public init(before: SourceTexts, after: SourceTexts, threads: Int) {
    let old = SourceNames(before, threads: threads)
    let new = SourceNames(after, threads: threads)
    let used = Set(old.declarations.filter { old.isUsed($0, outside: []) }.map(Key.init))
    let candidates = new.declarations.filter { used.contains(Key($0)) }
    var unused: [NamedDeclaration] = []
    var isComplete = false
    while !isComplete {
      let known = Set(unused)
      let more = candidates.filter { !known.contains($0) && !new.isUsed($0, outside: unused) }
      unused += more
      isComplete = more.isEmpty
    }
    all = unused.filter { one in
      !unused.contains { $0.file == one.file && $0.range != one.range && $0.range.contains(one.range.lowerBound) }
    }.sorted { ($0.file, $0.range.lowerBound) < ($1.file, $1.range.lowerBound) }
  }

  /// By which a declaration is found again: its place moves.
  private struct Key: Hashable {
    let file: Int
    let kind: NamedDeclaration.Kind
    let name: String

    init(_ declaration: NamedDeclaration) {
      (file, kind, name) = (declaration.file, declaration.kind, declaration.qualifiedName)
    }
  }
}

extension SourceNames {
  /// Whether the name of a declaration stands anywhere but in itself and in some others.
  fileprivate func isUsed(_ declaration: NamedDeclaration, outside others: [NamedDeclaration]) -> Bool {
    (places[declaration.name] ?? []).contains { place in
      if place.file == declaration.file, declaration.ownRange.contains(place.offset) { return false }
      return !others.contains { $0.file == place.file && $0.range.contains(place.offset) }
    }
  }
}
