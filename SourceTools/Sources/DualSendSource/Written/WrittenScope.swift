import SwiftSyntax

/// Why a call cannot be written out where it stands.
struct NotWritten: Error {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}

/// What the names in a body mean that is written out where it is called.
final class WrittenScope {
  /// What a name stands for.
  enum Binding {
    /// An argument, and the scope that it is written in.
    case written(ExprSyntax, WrittenScope, declared: TypeSyntax?, value: SourceValue)
    /// What stands in for an argument that the call leaves out.
    case standard(SourceValue, declared: TypeSyntax)
  }

  /// A value of the sources' own type that the call site makes.
  struct Made {
    let type: TypeID
    /// The enum's case; `nil` for a structure.
    let caseName: String?
    let fields: [(label: String, binding: Binding)]
    let value: SourceValue
  }

  /// What `self` is.
  enum Own {
    /// What it is at the call site, and what is written in front of its members.
    case site(prefix: String)
    case made(Made)
    /// What the function is called on.
    case receiver
  }

  let context: EvaluationContext
  let path: Path
  /// Whether this is the call site itself: what stands there is written as it stands.
  let isSite: Bool
  let bindings: [String: Binding]
  let own: Own?

  init(_ context: EvaluationContext, _ path: Path, isSite: Bool, bindings: [String: Binding] = [:], own: Own?) {
    (self.context, self.path, self.isSite, self.bindings, self.own) = (context, path, isSite, bindings, own)
  }
}

extension WrittenScope {
  /// The same scope with one constant more, that stands for its initial value.
  func binding(_ name: String, to initial: ExprSyntax, declared: TypeSyntax?, _ unfolder: Unfolder) -> WrittenScope {
    let evaluator = unfolder.evaluator
    let expected = declared.map { evaluator.value(of: $0, typeName: self.context.typeName, file: self.context.file) }
    let value = unfolder.value(initial, self, expected: expected?.unwrapped.typeID).converted(to: expected)
    var (context, path, bindings) = (self.context, self.path, self.bindings)
    let id = evaluator.newID()
    context.names.declare(name, id, isConstant: true)
    path.values[id] = value
    bindings[name] = .written(initial, self, declared: declared, value: value)
    return WrittenScope(context, path, isSite: isSite, bindings: bindings, own: own)
  }
}

extension WrittenScope.Binding {
  var value: SourceValue {
    switch self {
    case .written(_, _, _, let value), .standard(let value, _): value
    }
  }
}
