import SwiftOperators
import SwiftParser
import SwiftSyntax

/// Parsed Swift, and its position in its file.
final class SourceUnit {
  let file: Int
  /// The difference between an offset in the tree and the offset in the file.
  let base: Int
  let tree: SourceFileSyntax
  /// The file's name, and the number of lines before the tree; `nil` for a whole file.
  private let origin: (name: String, lines: Int)?
  private lazy var lines = SourceLocationConverter(fileName: "", tree: tree)
  private var switches: [SyntaxIdentifier: SwitchCases?] = [:]
  private var changes: [SyntaxIdentifier: Changes] = [:]

  /// - Parameter places: offsets around which operator precedence is applied; `nil` for everywhere.
  init(
    file: Int, base: Int = 0, text: String, foldedAt places: [Int]? = nil, origin: (name: String, lines: Int)? = nil
  ) {
    (self.file, self.base, self.origin) = (file, base, origin)
    let parsed = Parser.parse(source: text)
    let folded = places.map { OperatorFolder($0).rewrite(parsed) } ?? OperatorFolder.fold(parsed)
    tree = folded.as(SourceFileSyntax.self) ?? parsed
  }

  /// The place of a node for reasons: `line 12`, or `Cart.swift:12` in another unit than the file that is searched.
  func place(of node: some SyntaxProtocol) -> String {
    let line = lines.location(for: node.positionAfterSkippingLeadingTrivia).line
    return origin.map { "\($0.name):\($0.lines + line)" } ?? "line \(line)"
  }

  /// The cases of a `switch`; `nil` if it is not read.
  func cases(of choice: SwitchExprSyntax) -> SwitchCases? {
    if let known = switches[choice.id] { return known }
    let found = SwitchCases(choice)
    switches[choice.id] = .some(found)
    return found
  }

  /// What is changed in the function or the property around a node.
  func changes(around node: some SyntaxProtocol) -> Changes {
    let root = Syntax(node).root
    if let known = changes[root.id] { return known }
    let found = Changes(in: root)
    changes[root.id] = found
    return found
  }
}

/// Applies operator precedence only in the members and statements of a file that contain some positions.
private final class OperatorFolder: SyntaxRewriter {
  /// Sorted.
  private let places: [Int]

  init(_ places: [Int]) {
    self.places = places
    super.init(viewMode: .sourceAccurate)
  }

  /// The precedence of an app's own operator is unknown, so its operands stay in sequence.
  static func fold(_ node: some SyntaxProtocol) -> Syntax { OperatorTable.standardOperators.foldAll(node) { _ in } }

  override func visitAny(_ node: Syntax) -> Syntax? {
    let (start, end) = (node.position.utf8Offset, node.endPosition.utf8Offset)
    var (low, high) = (0, places.count)
    while low < high {
      let middle = (low + high) / 2
      if places[middle] < start { low = middle + 1 } else { high = middle }
    }
    guard low < places.count, places[low] < end else { return node }
    let item: Syntax? =
      node.as(MemberBlockItemSyntax.self).map { Syntax($0.decl) }
      ?? node.as(CodeBlockItemSyntax.self).map { Syntax($0.item) }
    return item.flatMap { $0.asProtocol((any DeclGroupSyntax).self) == nil ? Self.fold(node) : nil }
  }
}

/// Parses declarations on demand, each once.
final class UnitStore {
  private let texts: SourceTexts
  private var last: (file: Int, bytes: [UInt8])?
  private var parsed: [Place: SourceUnit] = [:]

  private struct Place: Hashable {
    let file: Int
    let range: Range<Int>
  }

  private static let opening = "enum S {\n"

  init(_ texts: SourceTexts) {
    self.texts = texts
  }

  /// A declaration, parsed separately.
  func unit(_ declaration: Declaration) -> (unit: SourceUnit, node: DeclSyntax)? {
    guard let unit = unit(declaration.range, in: declaration.file, opening: Self.opening, closing: "\n}"),
      case .decl(let outer)? = unit.tree.statements.first?.item,
      let node = outer.as(EnumDeclSyntax.self)?.memberBlock.members.first?.decl
    else { return nil }
    return (unit, node)
  }

  /// An expression at a byte range, such as a default value.
  func expression(_ range: Range<Int>, in file: Int) -> (unit: SourceUnit, node: ExprSyntax)? {
    guard let unit = unit(range, in: file, opening: "", closing: ""),
      case .expr(let node)? = unit.tree.statements.first?.item
    else { return nil }
    return (unit, node)
  }

  private func unit(_ range: Range<Int>, in file: Int, opening: String, closing: String) -> SourceUnit? {
    let key = Place(file: file, range: range)
    if let known = parsed[key] { return known }
    guard let bytes = bytes(file), range.upperBound <= bytes.count else { return nil }
    let newline = UInt8(ascii: "\n")
    let lines = bytes[..<range.lowerBound].count { $0 == newline } - opening.utf8.count { $0 == newline }
    let unit = SourceUnit(
      file: file, base: range.lowerBound - opening.utf8.count,
      text: opening + String(decoding: bytes[range], as: UTF8.self) + closing,
      origin: (String(texts.paths[file].split(separator: "/").last ?? ""), lines))
    parsed[key] = unit
    return unit
  }

  private func bytes(_ file: Int) -> [UInt8]? {
    if last?.file != file { last = texts.text(file).map { (file, Array($0.utf8)) } }
    return last?.file == file ? last?.bytes : nil
  }
}
