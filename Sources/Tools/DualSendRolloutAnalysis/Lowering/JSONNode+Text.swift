package import DualSendCore
package import DualSendRollout

extension JSONNode {
  /// The members of an object; empty for anything else.
  package var members: [Member] { if case .object(let members) = content { members } else { [] } }

  /// The elements of an array; empty for anything else.
  package var elements: [JSONNode] { if case .array(let elements) = content { elements } else { [] } }

  /// The text; `nil` if it is none.
  package var string: String? { if case .string(let text) = content { text } else { nil } }

  /// The value of an object's member.
  package func value(of key: String) -> JSONNode? { members.first { $0.key.isExactly(key) }?.value }

  /// A flag's fixed share, as a number or a boolean says it; `nil` for anything else.
  package var share: RolloutPercentage? {
    switch content {
    case .number(let number): Double(number.text).flatMap(RolloutPercentage.init(percent:))
    case .bool(let flag): flag ? .all : RolloutPercentage.none
    case .null, .string, .array, .object: nil
    }
  }

  /// The bytes of the value in its text.
  package func range(in text: [UInt8]) -> Range<Int> { offset..<end(in: text) }

  private func end(in text: [UInt8]) -> Int {
    switch content {
    case .null: return offset + 4
    case .bool(let flag): return offset + (flag ? 4 : 5)
    case .number(let number): return offset + number.text.utf8.count
    case .string, .array, .object: break
    }
    var (depth, isInText, position) = (0, false, offset)
    while position < text.count {
      switch text[position] {
      case UInt8(ascii: "\\") where isInText: position += 1
      case UInt8(ascii: "\""): isInText.toggle()
      case UInt8(ascii: "["), UInt8(ascii: "{"): depth += isInText ? 0 : 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= isInText ? 0 : 1
      default: break
      }
      position += 1
      if depth == 0, !isInText { return position }
    }
    return text.count
  }

  /// The white space before the value on its line; empty if something else stands there.
  package func indentation(in text: [UInt8]) -> String {
    let start = text[..<offset].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return String(decoding: text[start...].prefix { $0 == 0x20 || $0 == 0x09 }, as: UTF8.self)
  }
}
