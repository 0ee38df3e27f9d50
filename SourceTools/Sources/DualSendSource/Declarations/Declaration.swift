/// Where something is declared: a file by its number, and the offset of a node's first character in it.
struct Place: Hashable, Sendable, Comparable {
  let file: Int
  let offset: Int

  static func < (left: Place, right: Place) -> Bool {
    (left.file, left.offset) < (right.file, right.offset)
  }
}

/// What a name of the sources stands for, as far as it is of use; its syntax is read again when it is asked for.
struct Declaration: Hashable, Sendable {
  /// What is declared.
  enum Kind: Hashable, Sendable {
    /// A `let` with one value for all: global, static, or of every instance.
    case constant
    /// A `var` that holds a value.
    case variable
    /// A property that works its value out.
    case computed
    /// A function, with its labels: `track(_:properties:)`.
    case function
    /// A case of an enum.
    case enumCase
    case initializer
  }

  let kind: Kind
  /// A function's is without its labels.
  let name: String
  /// The labels of a function's or initializer's parameters, and of an enum case's values; `_` for none.
  var labels: [String] = []
  /// How many of the parameters have defaults, by position.
  var defaults: Set<Int> = []
  /// Whether it belongs to the type and not to each of its values.
  let isStatic: Bool
  /// Whether only its own file sees it.
  let isPrivate: Bool
  /// Whether a value comes from elsewhere: a property wrapper, an attached macro.
  let isWrapped: Bool
  let place: Place
}

/// A type or an extension of one.
struct TypeDeclaration: Hashable, Sendable {
  /// What it is.
  enum Kind: Hashable, Sendable {
    case structure, enumeration, reference, interface, alias, extended
  }

  let kind: Kind
  /// With the types around it, dotted.
  let name: String
  /// The types that it is made of: a class's superclass, protocols, an enum's raw type; of an alias what it stands for.
  let inherited: [String]
  let isPrivate: Bool
  let place: Place
  var members: [Declaration] = []
}

/// What one file declares and calls.
struct FileDeclarations: Sendable {
  var types: [TypeDeclaration] = []
  var globals: [Declaration] = []
  /// The names of all functions that are called, or named without a call.
  var mentioned: Set<String> = []
}
