import DualSend
import DualSendCollector
import DualSendCommandLine
import DualSendCore
import DualSendDelivery
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
    /// Whether DualSend added the decision to the parameters, and so the event's id.
    let isStamped: Bool
    /// The count of numbers that lost digits.
    let inexactNumbers: Int

    /// The event as the app logged it: without the id that DualSend added (`oldLoggerEventIDKey`), if only one parameter can
    /// be it.
    var logged: LegacyEvent {
      let ids = isStamped ? event.parameters.filter(\.value.isNewEventID).map(\.key) : []
      guard ids.count == 1 else { return event }
      var logged = event
      logged.parameters.removeValue(forKey: ids[0])
      return logged
    }
  }

  private static let linesPerProgress = 1000
  /// The count of consecutive lines in one share.
  private static let linesPerTurn = 256

  private let name: String
  private let size: Int?
  private let share: WorkShare
  private var reader: RecordingReader
  private(set) var eventCount = 0
  private(set) var malformed = MalformedLines()

  var malformedCount: Int { malformed.count }

  /// Whether every line is an event, and there is one: nothing read is not clean.
  var isClean: Bool { malformedCount == 0 && eventCount > 0 }

  /// - Parameters:
  ///   - path: a file; `nil` or `-` for standard input.
  ///   - format: finds the format of the lines.
  ///   - share: the lines to read; the others are skipped.
  init(
    _ path: String?, _ format: OldFormatOption, input: FileHandle = .standardInput, share: WorkShare = .all
  ) throws {
    self.share = share
    let path = path == "-" ? nil : path
    name = path ?? DocumentInput.standardInputName
    guard let path else {
      reader = RecordingReader(input, format.lines)
      malformed.note = RecordedFormat.note(name, reader.decoder)
      size = nil
      return
    }
    let file = URL(fileURLWithPath: path)
    reader = try InputFile.opened(path) { try RecordingReader(file, format.lines) }
    malformed.note = RecordedFormat.note(name, reader.decoder)
    size = try? file.resourceValues(forKeys: [.fileSizeKey]).fileSize
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
    while try reader.withNextLine({ recorded in
      let number = recorded.number
      if let title, number.isMultiple(of: Self.linesPerProgress) {
        progress.show("\(title) \(name): \(position(number, bytesRead))")
      }
      if !isOwn(number) { return }
      let event: Line
      do throws(RecordedFault) {
        let bytes = try recorded.line.get()
        if bytes.isEmpty { return }
        if isDealtWith(bytes) {
          eventCount += 1
          return
        }
        event = try Self.read(bytes, number)
      } catch { return skip(error, line: number) }
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
      help: "give the members these names, or name the format: --old-format (\(RecordedFormat.names))")
  }

  private func isOwn(_ number: Int) -> Bool {
    number / Self.linesPerTurn % share.count == share.number
  }

  private static func read(_ line: UnsafeBufferPointer<UInt8>, _ number: Int) throws(RecordedFault) -> Line {
    let value: EventValue
    var inexactNumbers = 0
    do { value = try JSONReader().value(line, countingInexact: &inexactNumbers) } catch {
      throw RecordedFault(error.description, at: error.offset, in: line)
    }
    var event: LegacyEvent
    do { event = try LegacyEvent(value) } catch {
      throw RecordedFault(error.description, at: error.offset, in: line)
    }
    guard case .object(let members) = value else {
      return Line(number: number, event: event, members: [:], decision: nil, isStamped: false, inexactNumbers: 0)
    }
    var parameters = event.parameters
    let inParameters = DecisionReader.take(from: &parameters)
    if inParameters != nil { event.parameters = parameters }
    return Line(
      number: number, event: event, members: members, decision: DecisionReader.decision(in: members) ?? inParameters,
      isStamped: inParameters != nil, inexactNumbers: inexactNumbers)
  }

  private mutating func skip(_ fault: RecordedFault, line number: Int) {
    if malformed.otherCalls.add(fault) { return }
    let shape = (reader.decoder.flatMap { RecordedFormat($0) } ?? .legacy).shape
    malformed.add {
      DocumentDiagnostic(
        .error, .malformedEvent, "line \(number) is not a legacy event: \(fault.description)", file: name,
        position: DocumentDiagnostic.Position(line: number, column: fault.column ?? 1),
        help: "the line was skipped; expected \(shape)")
    }
  }

  private func position(_ number: Int, _ bytesRead: Int) -> String {
    guard let size, size > 0 else { return number.counted("line") }
    return "\(Int(Double(bytesRead) / Double(size) * 100)) %"
  }
}

extension EventValue {
  /// Whether this is an id as the adapter creates it: version 7, in lower case.
  fileprivate var isNewEventID: Bool {
    guard case .string(let text) = self, let id = EventID(text) else { return false }
    return id.description == text && text.dropFirst(14).first == "7"
  }
}

/// The lines of a stream that are not events: the count of malformed ones, and a diagnostic for each of the first.
struct MalformedLines: Sendable {
  private static let maximumNamed = 20

  private(set) var count = 0
  private var named: [DocumentDiagnostic] = []
  fileprivate(set) var otherCalls = OtherCalls()
  /// Says which format the stream has, if it is another one than ours.
  var note: String?

  /// Counts a line. Calls `finding` only for the first lines.
  mutating func add(_ finding: () -> DocumentDiagnostic) {
    count += 1
    if named.count < Self.maximumNamed { named.append(finding()) }
  }

  /// Adds those that another thread found in the same stream.
  mutating func merge(_ others: MalformedLines) {
    count += others.count
    otherCalls.merge(others.otherCalls)
    named = Array((named + others.named).sorted().prefix(Self.maximumNamed))
  }

  /// Reports the first lines, and the count of the others.
  func report(on terminal: Terminal, format: OutputFormat) {
    for note in [note, otherCalls.note] { if let note { terminal.note(note) } }
    terminal.report(named, format: format)
    if count > named.count { terminal.note("note: \((count - named.count).grouped) more lines are malformed") }
  }
}
