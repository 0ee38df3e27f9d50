import DualSendInventory
import DualSendSource
import SwiftParser
import SwiftSyntax

/// The places where code reads a key by its text: `p["x"] != nil`, `p.removeValue(forKey: "x")`, `$0.key != "x"`.
struct KeyReadings {
  struct Reading {
    let text: WrittenSite.Text
    /// The dictionary that is read; `nil` for a comparison.
    let base: String?
    let line: Int
  }

  private let trees: SourceTrees
  private let texts: SourceTexts
  /// The keys that the described functions read from their parameters, by the function's name.
  private let forwarders: [String: [Reading]]

  init(_ trees: SourceTrees, _ texts: SourceTexts, functions: Set<String>) {
    (self.trees, self.texts) = (trees, texts)
    var forwarders: [String: [Reading]] = [:]
    for file in texts.paths.indices {
      guard let text = texts.text(file), text.contains("[\"") || text.contains("Key: \""),
        functions.contains(where: { text.contains("func \($0)(") })
      else { continue }
      let finder = ReadingFinder(file, text)
      finder.walk(trees.tree(file) ?? SourceFileSyntax.folded(text))
      for (name, readings) in finder.byFunction(of: functions) { forwarders[name, default: []] += readings }
    }
    self.forwarders = forwarders
  }

  /// The keys that are read from the parameters of a place, in the enclosing function.
  func around(_ one: WrittenSite) -> [Reading] {
    guard let call = trees.node(one.range, in: one.file, as: FunctionCallExprSyntax.self),
      let text = texts.text(one.file),
      let body = trees.node(one.around, in: one.file, as: DeclSyntax.self).map(Syntax.init)
        ?? trees.tree(one.file).map(Syntax.init)
    else { return [] }
    let known = Set(one.units.compactMap { if case .text(let text) = $0 { text.range } else { nil } })
    let finder = ReadingFinder(one.file, text)
    finder.walk(body)
    if finder.all.isEmpty { return [] }
    let names = PayloadNames(known)
    names.walk(call)
    names.walk(body)
    return finder.all.filter { reading in
      !known.contains(reading.text.range) && (reading.base.map(names.names.contains) ?? true)
    }
  }

  /// The keys that the functions between a place and the logger read.
  func behind(_ one: WrittenSite) -> [Reading] {
    let names = one.site.via.map { String($0.prefix { $0 != "(" }) } + [one.function?.name].compactMap { $0 }
    return names.flatMap { forwarders[$0] ?? [] }
  }
}

/// The names of the values that a call passes, and of the dictionaries that its keys are written to.
private final class PayloadNames: SyntaxVisitor {
  private let keys: Set<Range<Int>>
  private(set) var names: Set<String> = []

  init(_ keys: Set<Range<Int>>) {
    self.keys = keys
    super.init(viewMode: .sourceAccurate)
  }

  override func visit(_ node: DictionaryExprSyntax) -> SyntaxVisitorContinueKind {
    if let binding = node.ancestors.first(where: { $0.is(PatternBindingSyntax.self) })?.as(PatternBindingSyntax.self),
      node.elementList.contains(where: { keys.contains($0.key.bytes) })
    {
      names.insert(binding.pattern.trimmedDescription)
    }
    return .skipChildren
  }

  override func visit(_ node: SubscriptCallExprSyntax) -> SyntaxVisitorContinueKind {
    if let key = node.arguments.first, keys.contains(key.expression.bytes) {
      names.insert(node.calledExpression.trimmedDescription)
    }
    return .skipChildren
  }

  override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
    if node.ancestors.contains(where: { $0.is(FunctionCallExprSyntax.self) }),
      node.parent?.is(LabeledExprSyntax.self) == true || node.parent?.is(ArrayElementSyntax.self) == true
        || node.parent?.parent?.is(FunctionCallExprSyntax.self) == true
    {
      names.insert(node.baseName.text)
    }
    return .skipChildren
  }
}

private final class ReadingFinder: SyntaxVisitor {
  private let file: Int
  private let source: String
  private(set) var all: [KeyReadings.Reading] = []
  private var functions: [String] = []
  private var readings: [String: [KeyReadings.Reading]] = [:]
  private var calls: [String: Set<String>] = [:]

  init(_ file: Int, _ source: String) {
    (self.file, self.source) = (file, source)
    super.init(viewMode: .sourceAccurate)
  }

  /// The readings of some functions, and of the functions of the same file that they call.
  func byFunction(of names: Set<String>) -> [String: [KeyReadings.Reading]] {
    var found: [String: [KeyReadings.Reading]] = [:]
    for name in names {
      var (waiting, seen): ([String], Set<String>) = ([name], [])
      while let next = waiting.popLast() {
        guard seen.insert(next).inserted else { continue }
        found[name, default: []] += readings[next] ?? []
        waiting += calls[next] ?? []
      }
    }
    return found
  }

  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
    functions.append(node.name.text)
    return .visitChildren
  }
  override func visitPost(_ node: FunctionDeclSyntax) { functions.removeLast() }

  override func visitPost(_ node: SubscriptCallExprSyntax) {
    guard let first = node.arguments.first else { return }
    if let assigned = node.parent?.as(InfixOperatorExprSyntax.self), assigned.leftOperand.id == node.id,
      assigned.operator.is(AssignmentExprSyntax.self)
    {
      return
    }
    add(first.expression, base: node.calledExpression)
  }

  override func visitPost(_ node: FunctionCallExprSyntax) {
    if let function = functions.last, let name = node.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text {
      calls[function, default: []].insert(name)
    }
    guard let access = node.calledExpression.as(MemberAccessExprSyntax.self) else { return }
    for argument in node.arguments where argument.label?.text == "forKey" {
      add(argument.expression, base: access.base)
    }
  }

  override func visitPost(_ node: InfixOperatorExprSyntax) {
    guard ["==", "!="].contains(node.operator.trimmedDescription) else { return }
    for (side, other) in [(node.leftOperand, node.rightOperand), (node.rightOperand, node.leftOperand)]
    where other.trimmedDescription.hasSuffix("key") || other.trimmedDescription.hasSuffix(".0") { add(side, base: nil) }
  }

  private func add(_ key: ExprSyntax, base: ExprSyntax?) {
    guard let literal = key.as(StringLiteralExprSyntax.self), let plain = literal.representedLiteralValue else {
      return
    }
    let text = WrittenSite.Text(literal: plain, file: file, range: literal.bytes)
    let line = source.utf8.prefix(literal.bytes.lowerBound).count { $0 == UInt8(ascii: "\n") } + 1
    let root = base?.trimmedDescription.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    let reading = KeyReadings.Reading(text: text, base: root.map(String.init), line: line)
    all.append(reading)
    if let function = functions.last { readings[function, default: []].append(reading) }
  }
}
