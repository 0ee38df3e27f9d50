import DualSendSource
import SwiftSyntax

/// Finds the dictionaries whose values can have any type, as far as the surrounding code shows.
final class DictionaryTypes {
  private let texts: SourceTexts
  private var functions: [String: String?] = [:]

  init(_ texts: SourceTexts) {
    self.texts = texts
  }

  /// `Any` or `any Sendable`; `nil` if the type is another one or unknown.
  func values(of expression: ExprSyntax) -> String? {
    var node = Syntax(expression)
    while let parent = node.parent {
      switch parent.as(SyntaxEnum.self) {
      case .asExpr(let cast): return Self.anything(cast.type.trimmedDescription)
      case .patternBinding(let binding):
        return binding.typeAnnotation.flatMap { Self.anything($0.type.trimmedDescription) }
      case .functionDecl(let function):
        return function.signature.returnClause.flatMap { Self.anything($0.type.trimmedDescription) }
      case .closureExpr(let closure):
        // `items.map { ["id": $0.id] }`
        guard closure.statements.count == 1, let call = closure.parent?.as(FunctionCallExprSyntax.self),
          call.trailingClosure?.id == closure.id, call.calledExpression.lastName?.hasSuffix("ap") == true
        else { return nil }
        node = Syntax(call)
        continue
      case .dictionaryElement: return nil
      case .labeledExpr(let argument):
        guard let call = argument.parent?.parent?.as(FunctionCallExprSyntax.self) else { break }
        switch call.calledExpression.lastName {
        case "logEvents"?: return "any Sendable"
        case "merging"?: break
        case "merge"?:
          return call.calledExpression.as(MemberAccessExprSyntax.self)?.base.flatMap { values(ofVariable: $0) }
        case let name?: return values(takenBy: name)
        case nil: return nil
        }
        node = Syntax(call)
        continue
      case .infixOperatorExpr(let infix) where infix.operator.is(AssignmentExprSyntax.self):
        return infix.rightOperand.id == node.id ? values(ofVariable: infix.leftOperand) : nil
      default: break
      }
      node = parent
    }
    return nil
  }

  /// The same for a local that is declared in the enclosing function.
  func values(ofVariable expression: ExprSyntax) -> String? {
    guard let name = expression.as(DeclReferenceExprSyntax.self)?.baseName.text else { return nil }
    final class Finder: SyntaxVisitor {
      let name: String
      var types: [String] = []
      init(_ name: String) {
        self.name = name
        super.init(viewMode: .sourceAccurate)
      }
      override func visitPost(_ node: PatternBindingSyntax) {
        guard node.pattern.trimmedDescription == name else { return }
        let result = node.typeAnnotation?.type.trimmedDescription
        types.append(result ?? node.initializer?.value.as(AsExprSyntax.self)?.type.trimmedDescription ?? "")
      }
    }
    let finder = Finder(name)
    let function = expression.ancestors.first { $0.is(FunctionDeclSyntax.self) || $0.is(InitializerDeclSyntax.self) }
    finder.walk(function ?? expression.root)
    let types = finder.types.map(Self.anything)
    return types.count == 1 ? types[0] : nil
  }

  /// The same for the functions and initializers with a name, if all of them agree.
  private func values(takenBy name: String) -> String? {
    if let known = functions[name] { return known }
    let found = texts.paths.indices.flatMap { file -> [String?] in
      guard let text = texts.text(file), text.contains("func \(name)(") else { return [] }
      return text.split(separator: "func \(name)(", omittingEmptySubsequences: false).dropFirst().map {
        Self.anything(String($0.prefix { $0 != "{" }))
      }
    }
    let type = found.contains(nil) ? nil : found.first ?? nil
    functions[name] = type
    return type
  }

  private static func anything(_ type: String) -> String? {
    let plain = type.filter { !$0.isWhitespace }
    return plain.contains("[String:Any]") ? "Any" : plain.contains("[String:anySendable]") ? "any Sendable" : nil
  }
}

extension ExprSyntax {
  /// The name of a function without its receiver.
  fileprivate var lastName: String? {
    self.as(MemberAccessExprSyntax.self)?.declName.baseName.text ?? self.as(DeclReferenceExprSyntax.self)?.baseName.text
  }
}
