import DualSendCore
import SwiftSyntax

/// The context of the evaluated code.
struct Context {
  let unit: SourceUnit
  /// The enclosing types, dotted.
  let owner: String
  /// The result type of the enclosing function.
  var result: String?
}

/// Evaluates expressions to the values that they can have.
///
/// What it reads stands in tables: `ExpressionForms` has a row for each form of expression, `StandardFunctions` one for each
/// function of the standard library, and `Statements` one for each form of statement. What has no row is unknown, and named
/// with its line; a statement without a row makes the variables unknown that it may change.
///
/// Declarations are evaluated on demand, each once for the same receiver and arguments. Not thread-safe: each thread has
/// a resolver of its own.
final class Resolver {
  let index: DeclarationIndex
  let units: UnitStore
  let types: TypeRelations
  /// The app's own text properties that follow a rule.
  let rules: [String: TextRule]
  /// Called with the calls and names of every evaluated expression, and the states at that point.
  var observe: (([SyntaxIdentifier], PathState, Context) -> Void)?
  var effort = Effort()
  /// The standard types that hold values, and the app's protocols that they conform to.
  private(set) lazy var standardOwners = Self.standardTypes.union(
    Self.standardTypes.flatMap { types.ancestors(of: .init(path: $0, file: nil)).map(\.path) })
  private var memo: [MemoKey: Value] = [:]
  private var running: Set<MemoKey> = []

  /// What the value of a declaration depends on.
  struct MemoKey: Hashable {
    let declaration: Int
    var receiver: Value?
    var arguments: [String: Value] = [:]
    /// The member that is read from each case or subtype of the receiver.
    var member = ""
  }

  init(index: DeclarationIndex, units: UnitStore, rules: [String: TextRule] = [:]) {
    (self.index, self.units, self.rules) = (index, units, rules)
    types = TypeRelations(index)
  }

  /// The value of a declaration, from memory if it is known; unknown if it needs itself. Each declaration has the full
  /// number of steps, so that its value does not depend on what was evaluated before.
  func remembered(_ key: MemoKey, of name: String, _ work: () -> Value?) -> Value? {
    if let known = memo[key] { return known }
    guard running.insert(key).inserted else { return .unknown("`\(name)` needs itself") }
    defer { running.remove(key) }
    let found = isolated(work)
    if let found { memo[key] = found }
    return found
  }

  func isolated<Result>(_ work: () -> Result) -> Result {
    let before = (effort.left, effort.depth)
    (effort.left, effort.depth) = (Effort.perQuestion, 0)
    effort.nesting += 1
    defer {
      (effort.left, effort.depth) = before
      effort.nesting -= 1
    }
    return work()
  }

  /// Evaluates without the observer, because the expressions are in other code.
  func quietly<Result>(_ work: () -> Result) -> Result {
    let outer = observe
    observe = nil
    defer { observe = outer }
    return work()
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
    case .enumCase(let type, _, _), .instance(let type), .type(let type): return type
    case .object(let object): return object.type
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
