import SwiftParser
import SwiftSyntax

/// Walks a file and lists what it declares, and every name in it.
final class NameCollector: SyntaxVisitor {
  private let file: Int
  private let converter: SourceLocationConverter
  private var around: [(name: String, range: Range<Int>)] = []
  private var depth = 0
  private var declarations: [NamedDeclaration] = []
  private var tokens: [String: [Int]] = [:]

  private init(file: Int, tree: SourceFileSyntax) {
    self.file = file
    converter = SourceLocationConverter(fileName: "", tree: tree)
    super.init(viewMode: .sourceAccurate)
  }

  static func names(of text: String, file: Int) -> (declarations: [NamedDeclaration], tokens: [String: [Int]]) {
    let tree = Parser.parse(source: text)
    let collector = NameCollector(file: file, tree: tree)
    collector.walk(tree)
    return (collector.declarations, collector.tokens)
  }

  override func visit(_ token: TokenSyntax) -> SyntaxVisitorContinueKind {
    if let name = token.identifier?.name {
      tokens[name, default: []].append(token.positionAfterSkippingLeadingTrivia.utf8Offset)
    }
    return .skipChildren
  }

  override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind { enter(node.name, Syntax(node)) }
  override func visitPost(_ node: StructDeclSyntax) { around.removeLast() }
  override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind { enter(node.name, Syntax(node)) }
  override func visitPost(_ node: ClassDeclSyntax) { around.removeLast() }
  override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind { enter(node.name, Syntax(node)) }
  override func visitPost(_ node: ActorDeclSyntax) { around.removeLast() }
  override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind { enter(node.name, Syntax(node)) }
  override func visitPost(_ node: EnumDeclSyntax) { around.removeLast() }
  override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind { enter(node.name, Syntax(node)) }
  override func visitPost(_ node: ProtocolDeclSyntax) { around.removeLast() }

  override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
    around.append((node.extendedType.trimmedDescription, node.bytes))
    return .visitChildren
  }
  override func visitPost(_ node: ExtensionDeclSyntax) { around.removeLast() }

  private func enter(_ name: TokenSyntax, _ node: Syntax) -> SyntaxVisitorContinueKind {
    if depth == 0 { add(.type, name, node) }
    around.append((name.identifierText, node.bytes))
    return .visitChildren
  }

  override func visit(_ node: EnumCaseElementSyntax) -> SyntaxVisitorContinueKind {
    add(.enumCase, node.name, Syntax(node), own: around.last?.range)
    return .visitChildren
  }

  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
    if depth == 0, node.name.identifier != nil, !node.isCalledByOthers { add(.function, node.name, Syntax(node)) }
    depth += 1
    return .visitChildren
  }
  override func visitPost(_ node: FunctionDeclSyntax) { depth -= 1 }

  override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
    if depth == 0, node.attributes.isEmpty, node.bindings.count == 1, let binding = node.bindings.first,
      let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier
    {
      add(.property, name, Syntax(node))
    }
    depth += 1
    return .visitChildren
  }
  override func visitPost(_ node: VariableDeclSyntax) { depth -= 1 }

  override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind { inside() }
  override func visitPost(_ node: InitializerDeclSyntax) { depth -= 1 }
  override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind { inside() }
  override func visitPost(_ node: ClosureExprSyntax) { depth -= 1 }

  private func inside() -> SyntaxVisitorContinueKind {
    depth += 1
    return .visitChildren
  }

  private func add(_ kind: NamedDeclaration.Kind, _ name: TokenSyntax, _ node: Syntax, own: Range<Int>? = nil) {
    declarations.append(
      NamedDeclaration(
        kind: kind, name: name.identifierText,
        qualifiedName: (around.map(\.name) + [name.identifierText]).joined(separator: "."), file: file,
        line: converter.location(for: name.positionAfterSkippingLeadingTrivia).line, range: node.bytes,
        ownRange: own ?? node.bytes))
  }
}

extension FunctionDeclSyntax {
  /// Whether somebody may call it who does not name it in these sources.
  fileprivate var isCalledByOthers: Bool {
    !attributes.isEmpty || modifiers.contains { ["override", "public", "open"].contains($0.name.text) }
  }
}
