import SwiftOperators
import SwiftParser
import SwiftSyntax

/// Swift that was parsed, and where in its file it stands.
struct Unit {
  let file: Int
  /// What an offset in the tree must be moved by.
  let base: Int
  let tree: SourceFileSyntax

  static func tree(_ text: String) -> SourceFileSyntax {
    let parsed = Parser.parse(source: text)
    // An operator of the app's own has no order here: its operands are left as they stand, and nothing is known of them.
    return OperatorTable.standardOperators.foldAll(parsed) { _ in }.as(SourceFileSyntax.self) ?? parsed
  }

  func origin(_ node: some SyntaxProtocol) -> Origin {
    let bytes = node.bytes
    return Origin(file: file, range: bytes.lowerBound + base..<bytes.upperBound + base)
  }
}

/// Parses declarations when they are asked for, each once.
final class UnitStore {
  private let texts: SourceTexts
  private var files: [Int: [UInt8]] = [:]
  private var order: [Int] = []
  private var parsed: [String: Unit] = [:]

  private static let keptFiles = 64
  private static let opening = "enum S {\n"

  init(_ texts: SourceTexts) {
    self.texts = texts
  }

  /// A declaration by itself.
  func unit(_ declaration: Declaration) -> (unit: Unit, node: DeclSyntax)? {
    let key = "\(declaration.file):\(declaration.range.lowerBound)"
    let unit: Unit
    if let known = parsed[key] {
      unit = known
    } else {
      guard let bytes = bytes(declaration.file), declaration.range.upperBound <= bytes.count else { return nil }
      let text = String(decoding: bytes[declaration.range], as: UTF8.self)
      unit = Unit(
        file: declaration.file, base: declaration.range.lowerBound - Self.opening.utf8.count,
        tree: Unit.tree(Self.opening + text + "\n}"))
      parsed[key] = unit
    }
    guard case .decl(let outer)? = unit.tree.statements.first?.item,
      let node = outer.as(EnumDeclSyntax.self)?.memberBlock.members.first?.decl
    else { return nil }
    return (unit, node)
  }

  /// An expression that stands at some bytes, such as a default value.
  func expression(_ range: Range<Int>, in file: Int) -> (unit: Unit, node: ExprSyntax)? {
    let key = "\(file):\(range.lowerBound):e"
    let unit: Unit
    if let known = parsed[key] {
      unit = known
    } else {
      guard let bytes = bytes(file), range.upperBound <= bytes.count else { return nil }
      unit = Unit(
        file: file, base: range.lowerBound, tree: Unit.tree(String(decoding: bytes[range], as: UTF8.self)))
      parsed[key] = unit
    }
    guard case .expr(let node)? = unit.tree.statements.first?.item else { return nil }
    return (unit, node)
  }

  private func bytes(_ file: Int) -> [UInt8]? {
    if let known = files[file] { return known }
    guard let text = texts.text(file) else { return nil }
    let bytes = Array(text.utf8)
    files[file] = bytes
    order.append(file)
    if order.count > Self.keptFiles { files[order.removeFirst()] = nil }
    return bytes
  }
}
