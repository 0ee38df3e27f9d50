import DualSendCore
import DualSendJSONLines
import DualSendTables

/// Appends members to objects of a JSON text. All other bytes stay the same.
struct ObjectInsertion {
  private let bytes: [UInt8]
  /// The insertions by byte offset.
  private var parts: [Int: String] = [:]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The text with all insertions.
  var result: [UInt8] {
    var result: [UInt8] = []
    var position = 0
    for (offset, text) in parts.sorted(by: { $0.key < $1.key }) {
      result += bytes[position..<offset] + Array(text.utf8)
      position = offset
    }
    return result + bytes[position...]
  }

  /// Appends members to an object.
  mutating func add(_ members: [(key: String, value: EventValue)], to object: JSONNode) {
    guard case .object(let known) = object.content, !members.isEmpty else { return }
    let indent = known.last.flatMap { indentation(before: $0.keyOffset) }
    let texts = members.map { key, value in
      EventValue.string(key).canonicalText + ": " + Self.text(value, indent: indent ?? "")
    }
    let separator = indent.map { ",\n" + $0 } ?? ", "
    let text = texts.joined(separator: separator)
    let end = known.isEmpty ? object.offset + 1 : endOfLastMember(of: object)
    parts[end, default: ""] += known.isEmpty ? " " + text + " " : separator + text
  }

  private func endOfLastMember(of object: JSONNode) -> Int {
    bytes.withUnsafeBufferPointer { buffer in
      var scanner = JSONScanner(bytes: buffer, range: object.offset..<buffer.count)
      _ = scanner.openObject()
      var end = object.offset + 1
      while let member = scanner.nextMember() { end = member.value.upperBound }
      return end
    }
  }

  /// The indentation before an offset; `nil` if the line has other text before it.
  private func indentation(before offset: Int) -> String? {
    let line = bytes[..<offset].lastIndex(of: UInt8(ascii: "\n")).map { bytes[($0 + 1)..<offset] }
    guard let line, line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) else { return nil }
    return String(decoding: line, as: UTF8.self)
  }

  private static func text(_ value: EventValue, indent: String) -> String {
    let lines = IndentedJSON.text(value, lineLength: 80, firstKeys: TableDraft.firstKeys).split(separator: "\n")
    return lines.joined(separator: "\n" + indent)
  }
}
