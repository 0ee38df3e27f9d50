import DualSendCommands
import DualSendCore
import DualSendRollout

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

  /// The line and column of a value.
  func position(of node: JSONNode) -> DocumentDiagnostic.Position { source.position(at: node.offset) }

  /// The value at a JSON pointer; `nil` if there is none.
  func node(at pointer: String) -> JSONNode? {
    guard pointer.isEmpty || pointer.first == "/" else { return nil }
    let steps = pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    return steps.reduce(root as JSONNode?) { node, step in
      let key = String(step).replacing("~1", with: "/").replacing("~0", with: "~")
      switch node?.content {
      case .object(let members)?: return members.first { $0.key.isExactly(key) }?.value
      case .array(let elements)?:
        return Int(key).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
      default: return nil
      }
    }
  }

  /// Replaces a number or a boolean. Invalidates earlier positions after it.
  mutating func replace(_ node: JSONNode, with number: String) -> Bool {
    let length: Int
    switch node.content {
    case .number(let old): length = old.text.utf8.count
    case .bool(let flag): length = flag ? 4 : 5
    case .null, .string, .array, .object: return false
    }
    bytes.replaceSubrange(node.offset..<(node.offset + length), with: number.utf8)
    return true
  }

  mutating func insert(_ text: String, at offset: Int) {
    bytes.insert(contentsOf: text.utf8, at: offset)
  }

  /// The indentation of a value's line.
  func indentation(of node: JSONNode) -> String {
    let start = bytes[..<node.offset].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return String(decoding: bytes[start...].prefix { $0 == 0x20 || $0 == 0x09 }, as: UTF8.self)
  }

  /// The offset after an object or an array.
  func end(of node: JSONNode) -> Int {
    var (depth, isString, isEscaped) = (0, false, false)
    for index in node.offset..<bytes.count {
      let byte = bytes[index]
      if isString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isString = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isString = true
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        if depth == 0 { return index + 1 }
      default: break
      }
    }
    return bytes.count
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
