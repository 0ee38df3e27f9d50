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

// MARK: - Patterns

/// The result of matching a value with a pattern or a condition.
struct Fit {
  /// Whether it matches; `nil` if unknown.
  var isFitting: Bool?
  /// The names that are bound on a match.
  var bound: [String: Value] = [:]
  /// The values of other locals on a match.
  var narrowed: [String: Value] = [:]
  /// The values of other locals without a match.
  var otherwise: [String: Value] = [:]
}

extension Resolver {
  func fit(_ pattern: PatternSyntax, _ value: Value, _ context: Context, _ state: PathState) -> Fit {
    switch pattern.as(PatternSyntaxEnum.self) {
    case .wildcardPattern: return Fit(isFitting: true)
    case .identifierPattern(let name): return Fit(isFitting: true, bound: [name.identifier.identifierText: value])
    case .valueBindingPattern(let binding): return fit(binding.pattern, value, context, state)
    case .expressionPattern(let inner): return fit(inner.expression, value, context, state)
    default: return pattern.openFit
    }
  }

  private func fit(_ expression: ExprSyntax, _ value: Value, _ context: Context, _ state: PathState) -> Fit {
    if let inner = expression.as(PatternExprSyntax.self) { return fit(inner.pattern, value, context, state) }
    if expression.is(DiscardAssignmentExprSyntax.self) { return Fit(isFitting: true) }
    if let chained = expression.as(OptionalChainingExprSyntax.self) {
      if value == .null { return Fit(isFitting: false) }
      let inner = fit(chained.expression, value.unwrapped, context, state)
      return value.mayBeNil == false || inner.isFitting == false ? inner : expression.openFit
    }
    if let name = expression.caseName {
      guard case .enumCase(_, let own, let fields) = value else {
        return value == .null && name != "none" ? Fit(isFitting: false) : expression.openFit
      }
      if own != name { return Fit(isFitting: false) }
      guard let call = expression.as(FunctionCallExprSyntax.self) else { return Fit(isFitting: true) }
      // One name for several values is a tuple.
      guard call.arguments.count == fields.count else { return Fit(isFitting: true, bound: expression.openFit.bound) }
      var all = Fit(isFitting: true)
      for (argument, field) in zip(call.arguments, fields) {
        let one = fit(argument.expression, field.value, context, state)
        if one.isFitting == false { return one }
        if one.isFitting == nil { all.isFitting = nil }
        all.bound.merge(one.bound) { $1 }
      }
      return all
    }
    guard index.functions("~=").isEmpty else { return expression.openFit }
    let wanted = self.value(expression, context, state, expected: type(of: value, in: context)?.path)
    switch (value, wanted) {
    case (.text(let one, _), .text(let other, _)): return Fit(isFitting: one == other)
    case (.literal(let one), .literal(let other)):
      return Fit(isFitting: one == other ? true : one == .null || other == .null ? false : nil)
    case (_, .literal(.null)) where value.mayBeNil == false: return Fit(isFitting: false)
    case (.literal(.null), .text): return Fit(isFitting: false)
    default: return expression.openFit
    }
  }
}

extension PatternSyntax {
  /// The case that the pattern matches with any associated values.
  var plainCase: String? {
    if let binding = self.as(ValueBindingPatternSyntax.self) { return binding.pattern.plainCase }
    guard let expression = self.as(ExpressionPatternSyntax.self)?.expression, let name = expression.caseName else {
      return nil
    }
    let isPlain = expression.as(FunctionCallExprSyntax.self)?.arguments.allSatisfy { argument in
      argument.expression.is(DiscardAssignmentExprSyntax.self)
        || argument.expression.as(PatternExprSyntax.self)?.pattern.isName == true
    }
    return isPlain == false ? nil : name
  }

  private var isName: Bool {
    if let binding = self.as(ValueBindingPatternSyntax.self) { return binding.pattern.isName }
    return self.is(IdentifierPatternSyntax.self) || self.is(WildcardPatternSyntax.self)
  }
}

private final class NameFinder: SyntaxVisitor {
  var names: [String] = []
  override func visitPost(_ node: IdentifierPatternSyntax) { names.append(node.identifier.identifierText) }
}

extension SyntaxProtocol {
  /// The names that a pattern binds.
  var patternNames: [String] {
    let finder = NameFinder(viewMode: .sourceAccurate)
    finder.walk(self)
    return finder.names
  }

  /// An unknown result.
  fileprivate var openFit: Fit {
    Fit(bound: patternNames.reduce(into: [:]) { $0[$1] = .unknown("a part of a pattern") })
  }
}

extension ExprSyntax {
  /// `.x`, `T.x` or `.x(…)` in a pattern.
  fileprivate var caseName: String? {
    if let call = self.as(FunctionCallExprSyntax.self) {
      return call.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.identifierText
    }
    guard let access = self.as(MemberAccessExprSyntax.self) else { return nil }
    if let base = access.base, base.dottedName?.split(separator: ".").last?.first?.isUppercase != true { return nil }
    return access.declName.baseName.identifierText
  }
}
