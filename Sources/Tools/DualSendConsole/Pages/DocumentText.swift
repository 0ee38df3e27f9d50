import DualSendCommands
import DualSendCore
import DualSendRollout
import DualSendRolloutAnalysis

/// A document's text. Edits change single values and keep the author's formatting.
struct DocumentText {
  private(set) var bytes: [UInt8]
  let root: JSONNode
  private let source: SourceText

  /// - Throws: ``ConsoleFailure`` for text that is not JSON.
  init(_ text: String) throws(ConsoleFailure) {
    bytes = Array(text.utf8)
    do {
      let document = try JSONReader().document(bytes)
      (root, source) = (document.root, document.source)
    } catch {
      throw ConsoleFailure(422, "the text is not JSON: \(error.description) at byte \(error.offset)")
    }
  }

  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The lines and columns of values.
  func positions(of nodes: [JSONNode]) -> [DocumentDiagnostic.Position] {
    let positions = source.positions(at: Set(nodes.map(\.offset)))
    return nodes.compactMap { positions[$0.offset] }
  }

  /// The value at a JSON pointer; `nil` if there is none.
  func node(at pointer: String) -> JSONNode? {
    guard pointer.isEmpty || pointer.first == "/" else { return nil }
    let steps = pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    return steps.reduce(root as JSONNode?) { node, step in
      let key = String(step).replacing("~1", with: "/").replacing("~0", with: "~")
      guard let node else { return nil }
      return node.value(of: key) ?? Int(key).flatMap { node.elements.indices.contains($0) ? node.elements[$0] : nil }
    }
  }

  /// Replaces a number or a boolean. Invalidates earlier positions after it.
  mutating func replace(_ node: JSONNode, with number: String) -> Bool {
    guard node.share != nil else { return false }
    bytes.replaceSubrange(node.range(in: bytes), with: number.utf8)
    return true
  }

  mutating func insert(_ text: String, at offset: Int) {
    bytes.insert(contentsOf: text.utf8, at: offset)
  }
}

extension RolloutPercentage {
  /// Reads a percentage from a request.
  static func requested(_ percent: Double) throws(ConsoleFailure) -> RolloutPercentage {
    guard let percentage = RolloutPercentage(percent: percent) else {
      throw ConsoleFailure(400, "the percentage must be a number from 0 to 100")
    }
    return percentage
  }
}
