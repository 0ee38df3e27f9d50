/// Reads JSON (RFC 8259) strictly, as values, or as a document with positions.
///
/// Unlike Foundation's readers, it tells integers from doubles, refuses duplicate keys, invalid UTF-8 and lone
/// surrogates, limits depth, size and the marks of keys, and says where an error is. It also refuses two keys that are canonically
/// equivalent in Unicode, because a Swift dictionary cannot hold both.
package struct JSONReader: Sendable {
  /// The greatest depth accepted.
  package var maximumDepth: Int
  /// The longest text accepted, in bytes.
  package var maximumBytes: Int

  /// Creates a reader. The defaults are 64 levels and 16 MiB.
  package init(maximumDepth: Int = 64, maximumBytes: Int = 16 << 20) {
    self.maximumDepth = maximumDepth
    self.maximumBytes = maximumBytes
  }

  /// Reads one value.
  ///
  /// An integer becomes ``EventValue/int(_:)``, or ``EventValue/uint(_:)`` if only `UInt64` holds it. Every other
  /// number becomes a finite double.
  package func value(_ bytes: some Sequence<UInt8>) throws(JSONError) -> EventValue {
    let result = bytes.withContiguousStorageIfAvailable(values) ?? Array(bytes).withUnsafeBufferPointer(values)
    return try result.get()
  }

  /// Reads one value, and counts the numbers with more digits than a double keeps.
  package func value(
    _ bytes: some Sequence<UInt8>, countingInexact inexactNumbers: inout Int
  ) throws(JSONError) -> EventValue {
    let result =
      bytes.withContiguousStorageIfAvailable(countedValues) ?? Array(bytes).withUnsafeBufferPointer(countedValues)
    let (value, count) = try result.get()
    inexactNumbers += count
    return value
  }

  /// Reads one document, with the position of every key and value and the exact text of every number.
  ///
  /// - Parameter name: what diagnostics call the document, usually a file name.
  package func document(_ bytes: some Sequence<UInt8>, name: String? = nil) throws(JSONError) -> JSONDocument {
    let result = bytes.withContiguousStorageIfAvailable(nodes) ?? Array(bytes).withUnsafeBufferPointer(nodes)
    return JSONDocument(root: try result.get(), source: SourceText(bytes, name: name))
  }

  // Each names its builder only. Otherwise the compiler does not specialise the parser, which makes it several times
  // slower.

  private func values(_ bytes: UnsafeBufferPointer<UInt8>) -> Result<EventValue, JSONError> {
    parse(bytes, EventValueBuilder.self)
  }

  private func countedValues(
    _ bytes: UnsafeBufferPointer<UInt8>
  ) -> Result<(EventValue, inexactNumbers: Int), JSONError> {
    if let error = sizeError(bytes) { return .failure(error) }
    var parser = JSONParser<EventValueBuilder>(bytes: bytes, maximumDepth: maximumDepth)
    parser.inexactNumbers = 0
    do { return .success((try parser.document(), parser.inexactNumbers ?? 0)) } catch { return .failure(error) }
  }

  private func nodes(_ bytes: UnsafeBufferPointer<UInt8>) -> Result<JSONNode, JSONError> {
    parse(bytes, JSONNodeBuilder.self)
  }

  private func parse<Builder: JSONBuilder>(
    _ bytes: UnsafeBufferPointer<UInt8>, _: Builder.Type
  ) -> Result<Builder.Node, JSONError> {
    if let error = sizeError(bytes) { return .failure(error) }
    var parser = JSONParser<Builder>(bytes: bytes, maximumDepth: maximumDepth)
    do { return .success(try parser.document()) } catch { return .failure(error) }
  }

  private func sizeError(_ bytes: UnsafeBufferPointer<UInt8>) -> JSONError? {
    bytes.count <= maximumBytes ? nil : JSONError(reason: .tooLarge(limit: maximumBytes), offset: maximumBytes)
  }
}

// MARK: - Decimal number

/// The digits and the exponent of a JSON number's text, independent of its notation. Used to detect lost digits.
///
/// The sign is ignored, because no conversion loses it.
struct DecimalNumber: Equatable {
  /// The digits without leading and trailing zeros; empty for zero.
  private var digits: [UInt8] = []
  /// The position of the decimal point, relative to the first digit.
  private var exponent = 0

  /// Whether reading and writing the number keeps its digits.
  static func isKept(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    let isPlain = text.allSatisfy { $0 != UInt8(ascii: "e") && $0 != UInt8(ascii: "E") }
    // A double keeps every decimal number of 15 digits.
    if isPlain, text.count <= 15 { return true }
    if isPlain, !text.contains(UInt8(ascii: ".")), EventValueBuilder.integer(text) != nil { return true }
    guard let double = Double(String(decoding: text, as: UTF8.self)) else { return false }
    var writer = CanonicalJSONWriter()
    writer.double(double)
    return writer.bytes.withUnsafeBufferPointer { DecimalNumber($0) } == DecimalNumber(text)
  }

  /// - Parameter text: a valid JSON number.
  private init(_ text: UnsafeBufferPointer<UInt8>) {
    let mark = text.firstIndex { $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "E") } ?? text.endIndex
    var isFraction = false
    for byte in text[..<mark] {
      switch byte {
      case UInt8(ascii: "."): isFraction = true
      case UInt8(ascii: "0") where digits.isEmpty: exponent -= isFraction ? 1 : 0
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        digits.append(byte)
        exponent += isFraction ? 0 : 1
      default: break
      }
    }
    while digits.last == UInt8(ascii: "0") { digits.removeLast() }
    if mark < text.endIndex { shift(by: text[text.index(after: mark)...]) }
    if digits.isEmpty { exponent = 0 }
  }

  private mutating func shift(by text: Slice<UnsafeBufferPointer<UInt8>>) {
    // An exponent beyond `Int` belongs to 0 or to a number that is refused.
    let power = Int(String(decoding: text, as: UTF8.self)) ?? 0
    exponent = exponent.addingReportingOverflow(power).partialValue
  }
}
