import DualSend
import DualSendCommandLine
import DualSendCore
import DualSendJSONLines
import DualSendParity
import Foundation

/// The legacy events of a file or of standard input, line by line in bounded memory.
///
/// A line that is not a legacy event is named and skipped; an empty one is passed over.
struct LegacyLines {
  /// One event, and its whole line: members that a legacy event does not know stay with it.
  struct Line {
    /// Counted from 1.
    let number: Int
    let event: LegacyEvent
    let members: [String: EventValue]
    /// What its app decided, if the line says so; it is none of the event's parameters.
    let decision: DecisionStamp?
    /// How many of its numbers have more digits than are kept.
    let inexactNumbers: Int
  }

  private static let linesPerProgress = 1000
  /// How many lines in a row are of one share.
  private static let linesPerTurn = 256

  private let name: String
  private let size: Int?
  private let share: WorkShare
  private var reader: LineReader
  private(set) var eventCount = 0
  private(set) var malformed = MalformedLines()

  var malformedCount: Int { malformed.count }

  /// - Parameters:
  ///   - path: a file; `nil` or `-` for standard input.
  ///   - share: the lines that are events here; the others are passed over as if they were not there.
  init(_ path: String?, input: FileHandle = .standardInput, share: WorkShare = .all) throws {
    self.share = share
    let path = path == "-" ? nil : path
    name = path ?? DocumentInput.standardInputName
    guard let path else {
      reader = LineReader(input)
      size = nil
      return
    }
    let file = URL(fileURLWithPath: path)
    reader = try InputFile.opened(path) { try LineReader(file) }
    size = try? file.resourceValues(forKeys: [.fileSizeKey]).fileSize
  }

  /// Calls the body with every event, and shows progress under a title, if there is one.
  ///
  /// - Parameter isDealtWith: whether a line, which is no longer valid afterwards, need not be read.
  mutating func forEach(
    _ title: String?, on console: Console, unless isDealtWith: (UnsafeBufferPointer<UInt8>) -> Bool = { _ in false },
    _ body: (Line) throws -> Void
  ) throws {
    var progress = ProgressLine(console)
    defer { progress.clear() }
    var reader = self.reader
    defer { self.reader = reader }
    var bytesRead = 0
    while try reader.withNext({ bytes, number, isCut in
      if let title, number.isMultiple(of: Self.linesPerProgress) {
        progress.show("\(title) \(name): \(position(number, bytesRead))")
      }
      if bytes.isEmpty || !isOwn(number) { return }
      if !isCut, isDealtWith(bytes) {
        eventCount += 1
        return
      }
      let event: Line
      do throws(LegacyEvent.Malformed) { event = try Self.read(bytes, number, isCut: isCut) } catch {
        return skip(bytes, number, error)
      }
      eventCount += 1
      try body(event)
    }) {
      bytesRead = reader.bytesRead
    }
    if let failure = reader.failure {
      throw CommandError("cannot read \(name) to its end: \(failure.localizedDescription)")
    }
  }

  /// Writes which lines were skipped, if any were.
  func reportMalformed(on console: Console, format: OutputFormat) {
    malformed.report(on: console, format: format)
  }

  private func isOwn(_ number: Int) -> Bool {
    number / Self.linesPerTurn % share.count == share.number
  }

  private static func read(
    _ line: UnsafeBufferPointer<UInt8>, _ number: Int, isCut: Bool
  ) throws(LegacyEvent.Malformed) -> Line {
    if isCut { throw LegacyEvent.Malformed(description: "the line is too long", offset: nil) }
    let value: EventValue
    var inexactNumbers = 0
    do { value = try JSONReader().value(line, countingInexact: &inexactNumbers) } catch {
      throw LegacyEvent.Malformed(description: error.description, offset: error.offset)
    }
    var event = try LegacyEvent(value)
    guard case .object(let members) = value else {
      return Line(number: number, event: event, members: [:], decision: nil, inexactNumbers: 0)
    }
    var parameters = event.parameters
    let inParameters = StampReader.take(from: &parameters)
    if inParameters != nil { event.parameters = parameters }
    return Line(
      number: number, event: event, members: members, decision: StampReader.decision(in: members) ?? inParameters,
      inexactNumbers: inexactNumbers)
  }

  private mutating func skip(_ line: UnsafeBufferPointer<UInt8>, _ number: Int, _ error: LegacyEvent.Malformed) {
    malformed.add {
      let column = error.offset.map { SourceText(Array(line), name: nil).position(at: $0).column } ?? 1
      return DocumentDiagnostic(
        .error, .malformedEvent, "line \(number) is not a legacy event: \(error.description)", file: name,
        position: DocumentDiagnostic.Position(line: number, column: column), help: "the line was skipped")
    }
  }

  private func position(_ number: Int, _ bytesRead: Int) -> String {
    guard let size, size > 0 else { return number.counted("line") }
    return "\(Int(Double(bytesRead) / Double(size) * 100)) %"
  }
}
