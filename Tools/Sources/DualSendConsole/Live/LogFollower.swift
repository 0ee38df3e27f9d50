import DualSend
import DualSendCollector
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
    /// Malformed lines, and events without an id.
    var malformed = 0
  }

  private static var partBytes: Int { 1 << 20 }
  private static var maximumLineBytes: Int { 4 << 20 }

  private let file: URL
  /// The event of a line; `nil` if the line is malformed.
  private let event: @Sendable (ArraySlice<UInt8>) -> Event?
  private var offset: UInt64
  private var number: UInt64?
  private var rest: [UInt8] = []
  private var isSkipping = false

  /// - Parameters:
  ///   - file: may not exist yet.
  ///   - isRecording: whether to read the content that the file has at first.
  init(_ file: URL, isRecording: Bool, event: @escaping @Sendable (ArraySlice<UInt8>) -> Event?) {
    self.file = file
    self.event = event
    let attributes = isRecording ? nil : try? FileManager.default.attributesOfItem(atPath: file.path)
    offset = (attributes?[.size] as? NSNumber)?.uint64Value ?? 0
    number = (attributes?[.systemFileNumber] as? NSNumber)?.uint64Value
  }

  /// Reads a part of the appended lines; none if the file does not exist or cannot be read.
  mutating func next() -> Lines {
    var lines = Lines()
    guard let bytes = newBytes(), !bytes.isEmpty else { return lines }
    rest += bytes
    var start = rest.startIndex
    while let end = rest[start...].firstIndex(of: UInt8(ascii: "\n")) {
      take(rest[start..<end], into: &lines)
      start = end + 1
    }
    rest.removeFirst(start)
    if !isSkipping, rest.last == UInt8(ascii: "}"), let event = event(rest[...]) {
      lines.events.append(event)
      rest = []
    }
    if rest.count > Self.maximumLineBytes {
      (rest, isSkipping) = ([], true)
    }
    return lines
  }

  private mutating func newBytes() -> [UInt8]? {
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: file.path),
      let size = (attributes[.size] as? NSNumber)?.uint64Value
    else { return nil }
    let number = (attributes[.systemFileNumber] as? NSNumber)?.uint64Value
    if size < offset || number != self.number {
      (offset, rest, isSkipping) = (0, [], false)
      self.number = number
    }
    guard size > offset, let handle = try? FileHandle(forReadingFrom: file) else { return nil }
    defer { try? handle.close() }
    guard (try? handle.seek(toOffset: offset)) != nil, let data = try? handle.read(upToCount: Self.partBytes) else {
      return nil
    }
    offset += UInt64(data.count)
    return Array(data)
  }

  private mutating func take(_ line: ArraySlice<UInt8>, into lines: inout Lines) {
    if isSkipping {
      isSkipping = false
      lines.malformed += 1
      return
    }
    guard line.contains(where: { $0 > 0x20 }) else { return }
    if let event = event(line) { lines.events.append(event) } else { lines.malformed += 1 }
  }
}

extension LogFollower<LiveOldEvent> {
  /// Reads old events: `{"decision", "eventId", "name", "parameters", "time", "unitID"}`.
  ///
  /// - Parameter idKey: the parameter that carries the event's id; `nil` if the line has it as `eventId`.
  init(old file: URL, idKey: String? = nil, isRecording: Bool = false) {
    self.init(file, isRecording: isRecording) { Self.event($0, idKey: idKey) }
  }

  private static func event(_ line: ArraySlice<UInt8>, idKey: String?) -> LiveOldEvent? {
    guard let value = try? JSONReader().value(line), case .object(let members) = value,
      let event = try? LegacyEvent(value)
    else { return nil }
    var parameters = event.parameters
    let idValue: EventValue?
    var decision = StampReader.decision(in: members)
    if let idKey {
      idValue = parameters.removeValue(forKey: idKey)
      let inParameters = StampReader.take(from: &parameters)
      decision = decision ?? inParameters
    } else {
      idValue = members["eventId"]
    }
    guard case .string(let text)? = idValue, let id = EventID(text) else { return nil }
    let unit: String?? = members["unitID"] == nil ? .none : .some(event.unitID)
    return LiveOldEvent(
      id: id, time: event.time, name: event.name, parameters: parameters, unit: unit, decision: decision)
  }
}

extension LogFollower<TrackingEvent> {
  /// Reads new events in the tracker's own format, as `--record` writes them.
  init(new file: URL, isRecording: Bool) {
    self.init(file, isRecording: isRecording) { line in
      (try? JSONReader().value(line)).flatMap { TrackingEvent(wireElement: $0) }
    }
  }
}
