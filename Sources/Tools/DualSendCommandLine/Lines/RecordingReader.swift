import DualSendCore
package import Foundation

/// Reads a recording of events: JSON lines of our own form, or what a decoder makes such lines of.
///
/// A JSON array in place of lines is read element by element, if it has at most ``maximumArrayBytes``.
package struct RecordingReader {
  /// One event of the recording, or why it cannot be read.
  package struct Event {
    /// The number of the line, or of the array's element, from 1.
    package let number: Int
    /// The number of the event: another one than that of the line if a line holds several.
    package let ordinal: Int
    /// A line of our own form, which is valid only during the call; blank if the line is.
    package let line: Result<UnsafeBufferPointer<UInt8>, RecordedFault>
  }

  package static let maximumArrayBytes = 256 << 20
  /// The longest line that is an event by itself.
  package static let maximumEventBytes = 16 << 20
  /// The longest line, which may be a request with many events.
  private static let maximumLineBytes = 64 << 20
  /// The number of lines by which a format is recognised.
  private static let linesLookedAt = 20

  /// What the lines are decoded by; `nil` if they have our own form.
  package let decoder: LineDecoder?
  private var lines: LineReader
  private var ahead: ArraySlice<LineReader.Line> = []
  /// The text of an array, and the ranges of its elements.
  private var array: (text: [UInt8], elements: ArraySlice<Range<Int>>)?
  private var elementsRead = 0
  /// Whether the recording is a JSON array in place of lines.
  package var isArray: Bool { array != nil }
  private var ordinal = 0

  package var bytesRead: Int { lines.bytesRead }
  package var failure: (any Error)? { lines.failure }
  package var unfinishedBytes: Int { lines.unfinishedBytes }
  package var isUnfinished: Bool { lines.isUnfinished }
  package var isPacked: Bool { lines.isPacked }
  package var linesRead: Int { isArray ? elementsRead : lines.linesRead }

  /// Opens the file.
  package init(_ file: URL, _ format: LineFormat? = nil) throws {
    self.init(try FileHandle(forReadingFrom: file), format)
  }

  /// Reads from where the handle is.
  ///
  /// - Parameters:
  ///   - format: finds the decoder by the first lines; `nil` for lines of our own form.
  ///   - linesBefore: the number of lines before the handle's place.
  package init(_ handle: FileHandle, _ format: LineFormat? = nil, linesBefore: Int = 0) {
    lines = LineReader(handle, maximumLineBytes: Self.maximumLineBytes, linesBefore: linesBefore)
    guard let format else {
      decoder = nil
      return
    }
    if let text = lines.textOfArray(limit: Self.maximumArrayBytes), let elements = Self.elements(of: text) {
      let first = elements.prefix(Self.linesLookedAt).enumerated().map { number, range in
        LineReader.Line(number: number + 1, bytes: Array(text[range]), isCut: false)
      }
      array = (text, elements[...])
      decoder = format(first)
      // The reader holds the same text, which is read from here.
      lines.skipToEnd()
      return
    }
    var first: [LineReader.Line] = []
    while first.count < Self.linesLookedAt, let line = lines.next() { first.append(line) }
    ahead = first[...]
    decoder = format(first)
  }

  /// Calls `body` with each remaining event.
  package mutating func forEach(_ body: (Event) throws -> Void) rethrows {
    while try withNextLine(body) {}
  }

  /// Calls `body` with each event of the next line; `false` if there is no line.
  package mutating func withNextLine(_ body: (Event) throws -> Void) rethrows -> Bool {
    let decoder = decoder
    var ordinal = self.ordinal
    defer { self.ordinal = ordinal }
    if let range = array?.elements.popFirst() {
      elementsRead += 1
      try array?.text.withUnsafeBufferPointer { text in
        let line = UnsafeBufferPointer(rebasing: text[range])
        try Self.deliver(line, elementsRead, isCut: false, decoder, &ordinal, body)
      }
      return true
    }
    if let line = ahead.popFirst() {
      try line.bytes.withUnsafeBufferPointer { bytes in
        try Self.deliver(bytes, line.number, isCut: line.isCut, decoder, &ordinal, body)
      }
      return true
    }
    return try lines.withNext { bytes, number, isCut in
      try Self.deliver(bytes, number, isCut: isCut, decoder, &ordinal, body)
    }
  }

  private static func deliver(
    _ bytes: UnsafeBufferPointer<UInt8>, _ number: Int, isCut: Bool, _ decoder: LineDecoder?, _ ordinal: inout Int,
    _ body: (Event) throws -> Void
  ) rethrows {
    guard let decoder else {
      ordinal = number
      let isTooLong = isCut || bytes.count > maximumEventBytes
      return try body(Event(number: number, ordinal: number, line: isTooLong ? .failure(.tooLong) : .success(bytes)))
    }
    guard bytes.contains(where: { $0 > 0x20 }) else { return }
    for line in isCut ? [.failure(.tooLong)] : decoder.lines(bytes) {
      ordinal += 1
      switch line {
      case .success(let own):
        try own.withUnsafeBufferPointer { try body(Event(number: number, ordinal: ordinal, line: .success($0))) }
      case .failure(let fault): try body(Event(number: number, ordinal: ordinal, line: .failure(fault)))
      }
    }
  }

  /// The ranges of an array's elements; `nil` if the text is not one array.
  private static func elements(of text: [UInt8]) -> [Range<Int>]? {
    text.withUnsafeBufferPointer { bytes in
      var scanner = JSONScanner(bytes: bytes, range: 0..<bytes.count)
      guard scanner.openArray() else { return nil }
      var elements: [Range<Int>] = []
      while let element = scanner.nextElement() { elements.append(element) }
      return scanner.isComplete ? elements : nil
    }
  }
}

/// Makes lines of our own form of the lines of another one.
package struct LineDecoder: Sendable {
  /// The name of the format.
  package let name: String
  /// The lines of our own form that a line stands for, or why an event of it cannot be read.
  package let lines: @Sendable (UnsafeBufferPointer<UInt8>) -> [Result<[UInt8], RecordedFault>]

  package init(
    name: String, lines: @escaping @Sendable (UnsafeBufferPointer<UInt8>) -> [Result<[UInt8], RecordedFault>]
  ) {
    (self.name, self.lines) = (name, lines)
  }
}

/// Finds the decoder of a recording by its first lines; `nil` if they have our own form.
package typealias LineFormat = @Sendable ([LineReader.Line]) -> LineDecoder?

/// Why an event of a recording cannot be read. Never holds values.
package struct RecordedFault: Error, Sendable, Hashable, CustomStringConvertible {
  /// The end of a sentence about the line.
  package let description: String
  /// The column in the line, from 1; `nil` if it is not known.
  package let column: Int?
  /// The kind of a call that is no event, such as `identify`; `nil` if the line should have been one.
  package let otherCall: String?

  package init(_ description: String, otherCall: String? = nil) {
    (self.description, self.otherCall, column) = (description, otherCall, nil)
  }

  /// - Parameter offset: the byte offset in the line, if known.
  package init(_ description: String, at offset: Int?, in line: UnsafeBufferPointer<UInt8>) {
    (self.description, otherCall) = (description, nil)
    column = offset.map { SourceText(Array(line), name: nil).position(at: $0).column }
  }

  fileprivate static let tooLong = RecordedFault("the line is too long")
}
