/// Something that is declared by a name: a type, a case, a function, a property.
public struct NamedDeclaration: Sendable, Hashable {
  /// What is declared.
  public enum Kind: String, Sendable, Hashable {
    case type, enumCase = "case", function, property
  }

  /// What is declared.
  public let kind: Kind
  /// The name without labels.
  public let name: String
  /// With the types around it, dotted.
  public let qualifiedName: String
  /// The file's number.
  public let file: Int
  /// Counted from 1.
  public let line: Int
  /// The bytes of the declaration.
  public let range: Range<Int>
  /// The bytes in which its own name is no use: its declaration; of a case, the enum's.
  public let ownRange: Range<Int>
}

/// The names that some sources declare, and the places where they stand.
public struct SourceNames: Sendable {
  /// Where a name stands.
  public struct Place: Sendable, Hashable {
    /// The file's number.
    public let file: Int
    /// The byte that it begins at.
    public let offset: Int
  }

  /// In the order of the files.
  public let declarations: [NamedDeclaration]
  /// The places of each name that is declared, those of its declarations among them.
  public let places: [String: [Place]]

  /// Reads sources; what is no Swift is passed over.
  public init(_ texts: SourceTexts, threads: Int = 1) {
    let read = Threads.map(threads, texts.paths.count) { number in
      texts.text(number).map { NameCollector.names(of: $0, file: number) }
        ?? (declarations: [], tokens: [:])
    }
    declarations = read.flatMap(\.declarations)
    let declared = Set(declarations.map(\.name))
    var places: [String: [Place]] = [:]
    for (file, names) in read.enumerated() {
      for (name, offsets) in names.tokens where declared.contains(name) {
        places[name, default: []] += offsets.map { Place(file: file, offset: $0) }
      }
    }
    self.places = places
  }
}
