/// A declaration that values may come from or calls may lead to. Local ones are none.
struct Declaration: Sendable {
  enum Kind: Sendable {
    case enumeration, structure, reference, contract, alias
    case enumCase, property, function, initializer
    /// `extension X`: what it adds is of the owner `X`; itself it only says what `X` conforms to.
    case extending

    var isType: Bool {
      switch self {
      case .enumeration, .structure, .reference, .contract, .alias: true
      default: false
      }
    }
  }

  struct Parameter: Sendable, Hashable {
    /// `_` for none.
    let label: String
    let name: String
    let type: String
    /// The bytes of the default's expression.
    let value: Range<Int>?
  }

  let kind: Kind
  let name: String
  /// The types that it stands in, dotted; empty at the top.
  let owner: String
  let file: Int
  /// The bytes without leading trivia.
  let range: Range<Int>
  var isStatic = false
  /// `let`, or a case.
  var isConstant = false
  /// Seen in its file alone.
  var isPrivate = false
  /// Stands in `#if`.
  var isConditional = false
  var isFinal = false
  /// Whether an extension has it.
  var isExtending = false
  /// Whether code computes it: getters and bodies.
  var hasBody = false
  /// Whether it is set, observed or wrapped otherwise than by its initial value.
  var isWrapped = false
  var parameters: [Parameter] = []
  /// The type of a property, a function's result, what an alias means.
  var type: String?
  /// The value of a case or a property.
  var value: Range<Int>?
  /// A case's own raw value, or the one that follows from its name.
  var rawText: String?
  var inherited: [String] = []

  /// The dotted name.
  var path: String { owner.isEmpty ? name : owner + "." + name }
  var labels: [String] { parameters.map(\.label) }
  var signature: String { name + "(" + parameters.map { $0.label + ":" }.joined() + ")" }
}

/// What the first reading of a file finds.
struct FileFacts: Sendable {
  var declarations: [Declaration] = []
  /// The names of the functions that are called or named.
  var mentioned: Set<String> = []
}
