import DualSend
import DualSendCollector
import DualSendCommandLine
import DualSendCore
import DualSendParity
import Foundation

/// Reads the lines of a growing file of events.
///
/// Skips the content that the file has at first, unless it is told to read a recording. A truncated or replaced file is
/// read from its start. A last line without a line end is read once it is a whole event, or the line end is written.
struct LogFollower<Event: Sendable>: Sendable {
  /// The result of one read.
  struct Lines: Sendable {
    var events: [Event] = []
    var malformed = LiveMalformed()
  }

  private static var partBytes: Int { 1 << 20 }
  private static var maximumLineBytes: Int { 4 << 20 }

  private let file: URL
  private let event: @Sendable (ArraySlice<UInt8>) throws(LineFault) -> Event
  /// Finds what the lines are decoded by; `nil` for lines of our own form.
  private let format: LineFormat?
  /// What the first line that could be read needs; `nil` before it.
  private var decoder: LineDecoder??
  private var offset: UInt64
  private var number: UInt64?
  private var rest: [UInt8] = []
  private var isSkipping = false
  /// Why the file cannot be read; `nil` if it can, or does not exist yet.
  private(set) var problem: String?
  /// Whether the first malformed line was named; later ones are only counted.
  private var isFaultNamed = false

  /// - Parameters:
  ///   - file: may not exist yet.
  ///   - isRecording: whether to read the content that the file has at first.
  ///   - event: the event of a line.
  init(
    _ file: URL, isRecording: Bool, format: LineFormat? = nil,
    event: @escaping @Sendable (ArraySlice<UInt8>) throws(LineFault) -> Event
  ) {
    self.file = file
    self.event = event
    self.format = format
    let opened = isRecording ? nil : try? OpenedFile.ifAny(file.path)
    offset = UInt64(opened?.size ?? 0)
    number = opened?.number
  }

  /// Reads a part of the appended lines; none if the file does not exist or cannot be read.
  mutating func next() -> Lines {
    var lines = Lines()
    guard let bytes = newBytes(), !bytes.isEmpty else { return lines }
    rest += bytes
    var start = rest.startIndex
    while let end = rest[start...].firstIndex(of: UInt8(ascii: "\n")) {
      take(start..<end, into: &lines)
      start = end + 1
    }
    rest.removeFirst(start)
    if !isSkipping, rest.last == UInt8(ascii: "}") {
      let last = results(of: rest[...]).map { try? $0.get() }
      if !last.contains(where: { $0 == nil }) {
        lines.events += last.compactMap { $0 }
        rest = []
      }
    }
    if rest.count > Self.maximumLineBytes {
      (rest, isSkipping) = ([], true)
    }
    return lines
  }

  private mutating func newBytes() -> [UInt8]? {
    do {
      guard let opened = try OpenedFile.ifAny(file.path) else { return nil }
      if opened.size < offset || opened.number != number {
        (offset, rest, isSkipping, decoder) = (0, [], false, nil)
        number = opened.number
      }
      problem = nil
      guard opened.size > offset else { return nil }
      try opened.handle.seek(toOffset: offset)
      let data = try opened.handle.read(upToCount: Self.partBytes) ?? Data()
      offset += UInt64(data.count)
      return Array(data)
    } catch {
      problem = (error as? CommandError)?.message ?? error.localizedDescription
      return nil
    }
  }

  /// Reads the line at a range of `rest`.
  private mutating func take(_ range: Range<Int>, into lines: inout Lines) {
    if isSkipping {
      isSkipping = false
      return count(LineFault("is longer than \(Self.maximumLineBytes) bytes"), before: range.upperBound, in: &lines)
    }
    let line = rest[range]
    guard line.contains(where: { $0 > 0x20 }) else { return }
    for result in results(of: line) {
      switch result {
      case .success(let event): lines.events.append(event)
      case .failure(let fault): count(fault, before: range.upperBound, in: &lines)
      }
    }
  }

  /// Counts a fault of the line that ends at an index of `rest`, and names the first one.
  private mutating func count(_ fault: LineFault, before end: Int, in lines: inout Lines) {
    lines.malformed.count += 1
    if isFaultNamed { return }
    isFaultNamed = true
    do {
      lines.malformed.first = "line \(try lineNumber(endingAt: offset - UInt64(rest.count - end))) \(fault.reason)"
    } catch { lines.malformed.first = "a line \(fault.reason)" }
  }

  /// The event of a line, or those of a request in another format; each, or why it cannot be read.
  private mutating func results(of line: ArraySlice<UInt8>) -> [Result<Event, LineFault>] {
    let found = decoder ?? format?([LineReader.Line(number: 1, bytes: Array(line), isCut: false)])
    func read(_ line: ArraySlice<UInt8>) -> Result<Event, LineFault> {
      do throws(LineFault) { return .success(try event(line)) } catch { return .failure(error) }
    }
    guard let found else {
      let result = read(line)
      // A line that cannot be read, such as one that is half written, does not decide the format.
      if case .success = result { decoder = .some(nil) }
      return [result]
    }
    let decoded = line.withUnsafeBufferPointer { found.lines($0) }
    if decoded.isEmpty || decoded.contains(where: { (try? $0.get()) != nil }) { decoder = found }
    return decoded.compactMap { result in
      switch result {
      case .success(let own): read(own[...])
      case .failure(let fault):
        fault.otherCall == nil ? .failure(LineFault("cannot be read: \(fault.description)")) : nil
      }
    }
  }

  /// The number of the line that ends at an offset, from 1. Reads the file up to there, because the follower may have begun
  /// at the file's end.
  private func lineNumber(endingAt end: UInt64) throws -> Int {
    let handle = try OpenedFile(file.path).handle
    var (number, left) = (1, end)
    while left > 0, let part = try handle.read(upToCount: Int(min(left, UInt64(Self.partBytes)))), !part.isEmpty {
      number += part.count { $0 == UInt8(ascii: "\n") }
      left -= UInt64(part.count)
    }
    return number
  }
}

/// Why a line is not an event. Never holds the line's values.
struct LineFault: Error, Sendable {
  /// The end of a sentence that begins with the line's number.
  let reason: String

  init(_ reason: String) { self.reason = reason }

  /// The value of a line.
  static func value(_ line: ArraySlice<UInt8>) throws(LineFault) -> EventValue {
    do { return try JSONReader().value(line) } catch { throw LineFault("is not JSON: \(error.description)") }
  }
}

extension LogFollower<LiveOldEvent> {
  /// Reads old events: `{"decision", "eventId", "name", "parameters", "time", "unitID"}`.
  ///
  /// - Parameter idKey: the parameter that carries the event's id; `nil` if the line has it as `eventId`.
  init(old file: URL, idKey: String? = nil, isRecording: Bool = false, format: LineFormat? = nil) {
    self.init(file, isRecording: isRecording, format: format) { line throws(LineFault) in
      try Self.event(line, idKey: idKey)
    }
  }

  private static func event(_ line: ArraySlice<UInt8>, idKey: String?) throws(LineFault) -> LiveOldEvent {
    let value = try LineFault.value(line)
    let event: LegacyEvent
    do { event = try LegacyEvent(value) } catch { throw LineFault("is not an old event: \(error.description)") }
    guard case .object(let members) = value else { throw LineFault("is not an object") }
    var parameters = event.parameters
    let idValue: EventValue?
    var decision = DecisionReader.decision(in: members)
    if let idKey {
      idValue = parameters.removeValue(forKey: idKey)
      let inParameters = DecisionReader.take(from: &parameters)
      decision = decision ?? inParameters
    } else {
      idValue = members["eventId"]
    }
    guard case .string(let text)? = idValue, let id = EventID(text) else {
      throw LineFault("has no event id in `\(idKey ?? "eventId")`; --id-key names the parameter that has it")
    }
    let unit: String?? = members["unitID"] == nil ? .none : .some(event.unitID)
    return LiveOldEvent(
      id: id, time: event.time, name: event.name, parameters: parameters, unit: unit, decision: decision)
  }
}

extension LogFollower<TrackingEvent> {
  /// Reads new events in the tracker's own format, as `--output` writes them.
  init(new file: URL, isRecording: Bool, format: LineFormat? = nil) {
    self.init(file, isRecording: isRecording, format: format) { line throws(LineFault) in
      let value = try LineFault.value(line)
      guard let event = TrackingEvent(wireElement: value) else {
        throw LineFault("is not an event with `eventId`, `eventName`, `eventTime` and `payload`")
      }
      return event
    }
  }
}
