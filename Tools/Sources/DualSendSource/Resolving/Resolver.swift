import DualSendCore
import DualSendInventory
import SwiftSyntax

/// The context of the evaluated code.
struct Context {
  let unit: SourceUnit
  /// The enclosing types, dotted.
  let owner: String
  /// The result type of the enclosing function.
  var result: String?
}

/// Evaluates expressions to the values that they can have. Declarations are evaluated on demand and memoized; a value that
/// takes too much work is unknown.
final class Resolver {
  let index: DeclarationIndex
  let units: UnitStore
  /// Called with the calls and names of every evaluated expression, and the state at that point.
  var observe: (([SyntaxIdentifier], [PathState], Context) -> Void)?
  var memo: [MemoKey: Value] = [:]
  var meanings: [FileTracer.Meaning.Question: FileTracer.Meaning] = [:]
  let types: TypeRelations
  var running: Set<MemoKey> = []
  var depth = 0
  /// The depth of declarations that are being evaluated.
  var nesting = 0
  /// The steps that the current evaluation may still take.
  var effort = 0
  /// All steps so far.
  private(set) var steps = 0

  static let maximumDepth = 24
  static let effortPerQuestion = 40_000
  static let tooMuch = "it takes too much work to find out"

  struct MemoKey: Hashable {
    let declaration: Int
    var receiver: Value?
    var arguments: [String: Value] = [:]
  }

  /// The app's own text properties that follow a rule.
  let rules: [String: TextRule]

  init(index: DeclarationIndex, units: UnitStore, rules: [String: TextRule] = [:]) {
    (self.index, self.units, self.rules) = (index, units, rules)
    types = TypeRelations(index)
  }

  /// Evaluates with the full number of steps, so that a memoized value does not depend on what was evaluated before.
  func isolated<Result>(_ work: () -> Result) -> Result {
    let before = (effort, depth)
    (effort, depth) = (Self.effortPerQuestion, 0)
    nesting += 1
    defer {
      (effort, depth) = before
      nesting -= 1
    }
    return work()
  }

  /// Uses some steps; `false` if none are left.
  func mayWork(_ count: Int = 1) -> Bool {
    effort -= count
    steps += count
    return effort > 0 && nesting < 48
  }

  // MARK: types

  /// Any value of a type, as written in the source.
  func value(ofType text: String, in owner: String, file: Int) -> Value {
    if text.isOptionalType { return .either([value(ofType: text.withoutOptional, in: owner, file: file), .null]) }
    let plain = text.trimmingTypeWords
    switch plain {
    case "String", "Substring", "StaticString": return .scalar(.string)
    case "Int", "Int64", "Int32", "UInt", "Int8", "Int16", "UInt8", "UInt16", "UInt32", "UInt64": return .scalar(.int)
    case "Double", "Float", "CGFloat", "TimeInterval", "Foundation.TimeInterval": return .scalar(.double)
    case "Bool": return .scalar(.bool)
    case "Date": return .scalar(.date)
    case "Any", "Self", "": return .unknown("any value")
    default: break
    }
    if plain.hasPrefix("["), plain.hasSuffix("]") {
      if plain.topLevelColon != nil {
        return .dictionary(.init(open: "any `\(plain)`"))
      }
      return .elements(value(ofType: String(plain.dropFirst().dropLast()), in: owner, file: file))
    }
    if let type = index.type(plain, in: owner, file: file) { return .instance(type) }
    if index.isAmbiguous(plain) { return .unknown("there are several types `\(plain)`") }
    return plain.contains("->") ? .unknown("a closure") : .scalar(.unknown)
  }

  /// The type of a value; `nil` if it is unknown.
  func type(of value: Value, in context: Context) -> TypeReference? {
    switch value {
    case .enumCase(let type, _, _), .object(let type, _), .instance(let type), .type(let type): return type
    case .parameter(_, let text):
      let plain = text.withoutOptional.trimmingTypeWords
      return index.type(plain, in: context.owner, file: context.unit.file)
        ?? (plain == "String" ? TypeReference(path: plain, file: nil) : nil)
    case .oneOf(let all):
      let types = Set(all.filter { $0 != .null }.map { type(of: $0, in: context) })
      return types.count == 1 ? types.first ?? nil : nil
    case .text, .pattern, .scalar(.string): return TypeReference(path: "String", file: nil)
    case .dictionary: return TypeReference(path: "Dictionary", file: nil)
    default: return nil
    }
  }

  /// Every value of a type; for an enum, each case.
  func expanded(_ value: Value) -> [Value] {
    guard case .instance(let type) = value, index.declaration(of: type)?.kind == .enumeration else { return [value] }
    let cases = index.cases(of: type)
    guard !cases.isEmpty else { return [value] }
    return cases.map { number in
      let one = index[number]
      let fields = one.parameters.map { parameter in
        Value.Field(
          name: parameter.name, value: self.value(ofType: parameter.type, in: one.owner, file: one.file))
      }
      return .enumCase(type, one.name, fields)
    }
  }
}

extension String {
  /// A type without modifiers that do not change its values.
  var trimmingTypeWords: String {
    var text = Substring(self)
    var isChanged = true
    while isChanged {
      isChanged = false
      for word in [
        "any ", "some ", "inout ", "borrowing ", "consuming ", "sending ", "@escaping ", "@Sendable ", "@autoclosure ",
      ] where text.hasPrefix(word) {
        text = text.dropFirst(word.count)
        isChanged = true
      }
    }
    if text.hasPrefix("("), text.hasSuffix(")"), !text.contains("->"), !text.contains(",") {
      return String(text.dropFirst().dropLast()).trimmingTypeWords
    }
    return String(text)
  }

  /// The position of the colon in a dictionary type.
  var topLevelColon: String.Index? {
    var depth = 0
    for place in indices {
      switch self[place] {
      case "[", "(", "<": depth += 1
      case "]", ")", ">": depth -= 1
      case ":" where depth == 1: return place
      default: break
      }
    }
    return nil
  }

  /// The types of a dictionary's keys and values.
  var dictionaryTypes: (key: String, value: String)? {
    let text = withoutOptional.trimmingTypeWords
    guard text.hasPrefix("["), text.hasSuffix("]"), let colon = text.topLevelColon else { return nil }
    func trimmed(_ part: Substring) -> String {
      String(part).split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
    }
    return (
      trimmed(text[text.index(after: text.startIndex)..<colon]), trimmed(text[text.index(after: colon)...].dropLast())
    )
  }

  /// The type of an array's elements.
  var elementType: String? {
    let text = withoutOptional.trimmingTypeWords
    guard text.hasPrefix("["), text.hasSuffix("]"), text.topLevelColon == nil else { return nil }
    return String(text.dropFirst().dropLast())
  }
}
