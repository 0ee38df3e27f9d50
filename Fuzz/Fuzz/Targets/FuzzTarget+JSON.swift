@testable import DualSendCore

extension FuzzTarget {
  /// The strict reader: values and documents agree, canonical JSON reads back, places lie in the text.
  static let json = FuzzTarget(name: "json", mutation: .json) { input in
    let bytes = input.bytes
    var reader = JSONReader()
    read(bytes, reader)
    reader.maximumDepth = 3
    reader.maximumBytes = 64
    read(bytes, reader)
  }

  private static func read(_ bytes: [UInt8], _ reader: JSONReader) {
    let value = Result { () throws(JSONError) in try reader.value(bytes) }
    let document = Result { () throws(JSONError) in try reader.document(bytes, name: "input") }
    switch (value, document) {
    case (.success(let value), .success(let document)):
      precondition(document.root.eventValue == value, "the two readers see different values")
      checkPlaces(document)
      let canonical = value.canonicalJSON
      guard let again = try? JSONReader(maximumBytes: .max).value(canonical) else {
        preconditionFailure("canonical JSON cannot be read")
      }
      precondition(again.canonicalJSON == canonical, "canonical JSON is not a fixed point")
      precondition(isSame(again, value), "canonical JSON reads back as another value")
    case (.failure(let error), .failure(let other)):
      precondition(error == other, "the two readers see different faults")
      precondition((0...bytes.count).contains(error.offset), "a fault outside of the text")
      _ = error.description + (error.help ?? "")
    default: preconditionFailure("one reader accepts what the other refuses")
    }
  }

  /// Equal but for the form of numbers: `1.0` is written as `1`, and beyond 2⁵³ the shortest digits stand for a double.
  private static func isSame(_ left: EventValue, _ right: EventValue) -> Bool {
    switch (left, right) {
    case (.int(let left), .double(let right)): Double(left) == right
    case (.uint(let left), .double(let right)): Double(left) == right
    case (.array(let left), .array(let right)):
      left.count == right.count && zip(left, right).allSatisfy { isSame($0, $1) }
    case (.object(let left), .object(let right)):
      left.count == right.count
        && left.allSatisfy { key, value in right.value(exactly: key).map { isSame(value, $0) } ?? false }
    default: left == right
    }
  }

  private static func checkPlaces(_ document: JSONDocument) {
    var offsets: Set<Int> = []
    collectOffsets(document.root, into: &offsets)
    let lines = document.source.bytes.count { $0 == UInt8(ascii: "\n") } + 1
    for (offset, position) in document.source.positions(at: offsets) {
      precondition(document.source.bytes.indices.contains(offset), "a value outside of the text")
      precondition((1...lines).contains(position.line), "a line outside of the text")
      precondition((1...(offset + 1)).contains(position.column), "a column outside of the text")
    }
  }

  private static func collectOffsets(_ node: JSONNode, into offsets: inout Set<Int>) {
    offsets.insert(node.offset)
    switch node.content {
    case .array(let elements): for element in elements { collectOffsets(element, into: &offsets) }
    case .object(let members):
      for member in members {
        offsets.insert(member.keyOffset)
        collectOffsets(member.value, into: &offsets)
      }
    default: break
    }
  }
}
