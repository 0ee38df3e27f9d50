/// A declaration that provides values or that calls refer to. Local declarations are not included.
struct Declaration: Sendable {
  enum Kind: Sendable {
    case enumeration, structure, reference, contract, alias
    case enumCase, property, function, initializer
    /// `extension X`: its members have the owner `X`; the declaration itself only has the conformances of `X`.
    case extending

    var isType: Bool {
      switch self {
      case .enumeration, .structure, .reference, .contract, .alias: true
      default: false
      }
    }
  }

  struct Parameter: Sendable, Hashable {
    /// `_` if there is no label.
    let label: String
    let name: String
    let type: String
    /// The byte range of the default's expression.
    let value: Range<Int>?
  }

  let kind: Kind
  let name: String
  /// The enclosing types, dotted; empty at the top level.
  let owner: String
  let file: Int
  /// The byte range without leading trivia.
  let range: Range<Int>
  var isStatic = false
  /// Whether it is a `let` or a case.
  var isConstant = false
  /// Whether it is private to its file.
  var isPrivate = false
  /// Whether it is inside `#if`.
  var isConditional = false
  var isFinal = false
  var isMutating = false
  /// Whether other modules can see it.
  var isPublic = false
  /// Whether it is declared in an extension.
  var isExtending = false
  /// Whether its value is computed by code: getters and bodies.
  var hasBody = false
  /// Whether it can get another value than its code says: it is set, observed, wrapped, or built by a result builder.
  var isWrapped = false
  var parameters: [Parameter] = []
  /// The type of a property, the result type of a function, or the type that an alias stands for.
  var type: String?
  /// The value of a case or a property.
  var value: Range<Int>?
  /// A case's raw value, explicit or derived from its name.
  var rawText: String?
  var inherited: [String] = []
  /// How a message in Objective-C begins that calls the function; `nil` if its own attributes allow none.
  var objectiveCName: String?
  /// Whether Objective-C sees all members of the class, in extensions and subclasses too.
  var hasObjectiveCMembers = false
  /// The type that `Self` is in `extension P where Self == X`.
  var selfType: String?
  /// The names of generic parameters and associated types.
  var generics: [String] = []

  /// The dotted name.
  var path: String { owner.isEmpty ? name : owner + "." + name }
  var labels: [String] { parameters.map(\.label) }
  var signature: String { name + "(" + parameters.map { $0.label + ":" }.joined() + ")" }
}

/// The results of the first reading of a file.
struct FileFacts: Sendable {
  var declarations: [Declaration] = []
  /// The names of functions that are called or referenced.
  var mentioned: Set<String> = []
}
