package import SwiftSyntax

/// The argument for a parameter.
enum Argument {
  case given(ExprSyntax)
  /// The default value.
  case standard
  case closure
}

extension FunctionCallExprSyntax {
  /// The labels as written, without trailing closures.
  var labels: [String] { arguments.map { $0.label?.identifierText ?? "_" } }

  /// The base name of the called expression; `nil` for a closure and the like.
  package var calledName: TokenSyntax? {
    let called =
      calledExpression.as(OptionalChainingExprSyntax.self)?.expression
      ?? calledExpression.as(ForceUnwrapExprSyntax.self)?.expression ?? calledExpression
    return called.as(DeclReferenceExprSyntax.self)?.baseName
      ?? called.as(MemberAccessExprSyntax.self)?.declName.baseName
  }

  /// The receiver of the call.
  var receiver: ExprSyntax? {
    let called = calledExpression.as(OptionalChainingExprSyntax.self)?.expression ?? calledExpression
    return called.as(MemberAccessExprSyntax.self)?.base
  }

  func fits(_ one: Declaration) -> Bool { pairs(with: one) != nil }

  /// The argument for each parameter of a function; `nil` if the labels do not match.
  func pairs(with one: Declaration) -> [Argument]? {
    var given = Array(arguments)[...]
    var closures = (trailingClosure == nil ? 0 : 1) + additionalTrailingClosures.count
    var pairs: [Argument] = []
    for parameter in one.parameters {
      if let next = given.first, (next.label?.identifierText ?? "_") == parameter.label {
        pairs.append(.given(next.expression))
        given = given.dropFirst()
        if parameter.type.hasSuffix("...") { given = given.drop { $0.label == nil } }
      } else if parameter.type.hasSuffix("...") {
        pairs.append(.standard)
      } else if closures > 0, parameter.type.contains("->") || parameter.value == nil && !parameter.type.isPlainType {
        closures -= 1
        pairs.append(.closure)
      } else if parameter.value != nil {
        pairs.append(.standard)
      } else {
        return nil
      }
    }
    return given.isEmpty && closures == 0 ? pairs : nil
  }

  /// Whether it may be a call of a function of which only the labels are known: defaults may be omitted, and closures
  /// may be trailing.
  func mayCall(labels known: [String]) -> Bool {
    if trailingClosure == nil, arguments.isEmpty, !known.isEmpty { return false }
    return known.contains(labels)
  }
}

extension ExprSyntax {
  /// The first name: `Mixpanel` of `Mixpanel.mainInstance()`.
  var rootName: String? {
    if let name = localName { return name }
    if let call = self.as(FunctionCallExprSyntax.self) { return call.calledExpression.rootName }
    if let chained = self.as(OptionalChainingExprSyntax.self) { return chained.expression.rootName }
    return self.as(MemberAccessExprSyntax.self)?.base?.rootName
  }
}

extension String {
  /// Whether a closure cannot have this type.
  fileprivate var isPlainType: Bool {
    ["String", "Int", "Bool", "Double", "Any"].contains(self) || hasPrefix("[")
  }
}
