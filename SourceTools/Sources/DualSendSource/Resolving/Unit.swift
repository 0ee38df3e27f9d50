import SwiftOperators
import SwiftParser
import SwiftSyntax

/// Swift that was parsed, and where in its file it stands.
struct Unit {
  let file: Int
  /// What an offset in the tree must be moved by.
  let base: Int
  let tree: SourceFileSyntax
  let notes = TreeNotes()

  init(file: Int, base: Int = 0, text: String) {
    (self.file, self.base) = (file, base)
    let parsed = Parser.parse(source: text)
    // An operator of the app's own has no known precedence: its operands are left as they stand, and nothing is known of
    // them.
    tree = OperatorTable.standardOperators.foldAll(parsed) { _ in }.as(SourceFileSyntax.self) ?? parsed
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
  private var parsed: [Origin: Unit] = [:]

  private static let keptFiles = 64
  private static let opening = "enum S {\n"

  init(_ texts: SourceTexts) {
    self.texts = texts
  }

  /// A declaration by itself.
  func unit(_ declaration: Declaration) -> (unit: Unit, node: DeclSyntax)? {
    guard let unit = unit(declaration.range, in: declaration.file, opening: Self.opening, closing: "\n}"),
      case .decl(let outer)? = unit.tree.statements.first?.item,
      let node = outer.as(EnumDeclSyntax.self)?.memberBlock.members.first?.decl
    else { return nil }
    return (unit, node)
  }

  /// An expression that stands at some bytes, such as a default value.
  func expression(_ range: Range<Int>, in file: Int) -> (unit: Unit, node: ExprSyntax)? {
    guard let unit = unit(range, in: file, opening: "", closing: ""),
      case .expr(let node)? = unit.tree.statements.first?.item
    else { return nil }
    return (unit, node)
  }

  private func unit(_ range: Range<Int>, in file: Int, opening: String, closing: String) -> Unit? {
    let key = Origin(file: file, range: range)
    if let known = parsed[key] { return known }
    guard let bytes = bytes(file), range.upperBound <= bytes.count else { return nil }
    let unit = Unit(
      file: file, base: range.lowerBound - opening.utf8.count,
      text: opening + String(decoding: bytes[range], as: UTF8.self) + closing)
    parsed[key] = unit
    return unit
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
