import DualSend
import DualSendCommandLine
import DualSendCore
import DualSendDelivery
import DualSendJSONLines
import DualSendParity
import Foundation

/// Reads the legacy events of a file or of standard input, line by line in bounded memory.
///
/// Skips empty lines. Skips lines that are not legacy events, and reports them.
struct LegacyLines {
  /// One event, and all members of its line, including unknown ones.
  struct Line {
    /// Counted from 1.
    let number: Int
    let event: LegacyEvent
    let members: [String: EventValue]
    /// The app's decision, if the line has one. It is not among the event's parameters.
    let decision: CarriedDecision?
    /// The count of numbers that lost digits.
    let inexactNumbers: Int
  }

  private static let linesPerProgress = 1000
  /// The count of consecutive lines in one share.
  private static let linesPerTurn = 256

  private let name: String
  private let size: Int?
  private let share: WorkShare
  private var reader: LineReader
  private(set) var eventCount = 0
  private(set) var malformed = MalformedLines()
  /// The shape of the first line that has one of another tool.
  private var foreign: ForeignShape?

  var malformedCount: Int { malformed.count }

  /// Whether every line is an event, and there is one: nothing read is not clean.
  var isClean: Bool { malformedCount == 0 && eventCount > 0 }

  /// - Parameters:
  ///   - path: a file; `nil` or `-` for standard input.
  ///   - share: the lines to read; the others are skipped.
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
    reader = try InputFile.opened(path) { try Self.elements(of: file) ?? LineReader(file) }
    size = try? file.resourceValues(forKeys: [.fileSizeKey]).fileSize
  }

  /// The largest file with a JSON array in place of lines.
  private static let maximumArrayBytes = 256 << 20

  /// The elements of a file that is one JSON array, each as a line; `nil` for any other file.
  private static func elements(of file: URL) throws -> LineReader? {
    let handle = try FileHandle(forReadingFrom: file)
    defer { try? handle.close() }
    let start = try handle.read(upToCount: 64) ?? Data()
    guard start.first(where: { $0 > 0x20 }) == UInt8(ascii: "["), try handle.seekToEnd() <= maximumArrayBytes else {
      return nil
    }
    let bytes = Array(try Data(contentsOf: file))
    guard case .array(let elements) = try? JSONReader(maximumBytes: maximumArrayBytes).value(bytes) else { return nil }
    let lines = FileManager.default.temporaryDirectory.appendingPathComponent("dualsend-lines-\(UUID())")
    try Data(elements.flatMap { $0.canonicalJSON + [UInt8(ascii: "\n")] }).write(to: lines)
    // The reader keeps the file open.
    defer { try? FileManager.default.removeItem(at: lines) }
    return try LineReader(lines)
  }

  /// Calls the body with every event. Shows progress if there is a title.
  ///
  /// - Parameter isDealtWith: whether the line is already counted and need not be parsed. The bytes are valid only during
  ///   the call.
  mutating func forEach(
    _ title: String?, on terminal: Terminal, unless isDealtWith: (UnsafeBufferPointer<UInt8>) -> Bool = { _ in false },
    _ body: (Line) throws -> Void
  ) throws {
    var progress = ProgressLine(terminal)
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
      do throws(LegacyEvent.Malformed) { event = try Self.read(bytes, number, isCut: isCut, &foreign) } catch {
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

  func reportMalformed(on terminal: Terminal, format: OutputFormat) {
    if let foreign { terminal.note("note: \(name) is read as \(foreign.rawValue)") }
    malformed.report(on: terminal, format: format)
    if eventCount == 0 { terminal.report([Self.nothing(in: name)], format: format) }
  }

  /// The finding for a file of which nothing could be read.
  static func nothing(in file: String) -> DocumentDiagnostic {
    DocumentDiagnostic(
      .error, .noEvents, "there is no legacy event in it", file: file,
      notes: [
        #"an event is a line such as {"name":"home.view","parameters":{"item_id":"a1"},"unitID":"u1","time":1790000000000}, with"#
          + " the time in milliseconds"
      ],
      help: "make lines of an array with `jq -c '.[]'`, and give the members these names; events of "
        + "Segment, RudderStack, Amplitude, PostHog and GA4's export are read as they are")
  }

  private func isOwn(_ number: Int) -> Bool {
    number / Self.linesPerTurn % share.count == share.number
  }

  private static func read(
    _ line: UnsafeBufferPointer<UInt8>, _ number: Int, isCut: Bool, _ foreign: inout ForeignShape?
  ) throws(LegacyEvent.Malformed) -> Line {
    if isCut { throw LegacyEvent.Malformed(description: "the line is too long", offset: nil) }
    let value: EventValue
    var inexactNumbers = 0
    do { value = try JSONReader().value(line, countingInexact: &inexactNumbers) } catch {
      throw LegacyEvent.Malformed(description: error.description, offset: error.offset)
    }
    let read = ForeignShape.read(value)
    if foreign == nil { foreign = read?.shape }
    var event = try LegacyEvent(read?.event ?? value)
    guard case .object(let members) = read?.event ?? value else {
      return Line(number: number, event: event, members: [:], decision: nil, inexactNumbers: 0)
    }
    var parameters = event.parameters
    let inParameters = DecisionReader.take(from: &parameters)
    if inParameters != nil { event.parameters = parameters }
    return Line(
      number: number, event: event, members: members, decision: DecisionReader.decision(in: members) ?? inParameters,
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

/// The malformed lines of a stream: their count, and a diagnostic for each of the first ones.
struct MalformedLines: Sendable {
  private static let maximumNamed = 20

  private(set) var count = 0
  private var named: [DocumentDiagnostic] = []

  /// Counts a line. Calls `finding` only for the first lines.
  mutating func add(_ finding: () -> DocumentDiagnostic) {
    count += 1
    if named.count < Self.maximumNamed { named.append(finding()) }
  }

  /// Adds those that another thread found in the same stream.
  mutating func merge(_ others: MalformedLines) {
    count += others.count
    named = Array((named + others.named).sorted().prefix(Self.maximumNamed))
  }

  /// Reports the first lines, and the count of the others.
  func report(on terminal: Terminal, format: OutputFormat) {
    terminal.report(named, format: format)
    if count > named.count { terminal.note("note: \((count - named.count).grouped) more lines are malformed") }
  }
}
