import DualSend
import DualSendCore
import DualSendParity
import Foundation

/// Reads lines appended to an old log: `{"decision", "eventId", "name", "parameters", "time", "unitID"}`.
///
/// Skips the content that the file has at first, because the other sides of its events no longer arrive. A truncated or
/// replaced file is read from its start.
struct OldLogFollower {
  /// The result of one read.
  struct Lines {
    var events: [LiveOldEvent] = []
    /// Malformed lines, and events without an id.
    var malformed = 0
  }

  private static let partBytes = 1 << 20
  private static let maximumLineBytes = 4 << 20

  private let file: URL
  /// The parameter that carries the event's id; `nil` if the line has it as `eventId`.
  private let idKey: String?
  private var offset: UInt64
  private var number: UInt64?
  private var rest: [UInt8] = []
  private var isSkipping = false

  /// - Parameter file: may not exist yet.
  init(_ file: URL, idKey: String? = nil) {
    self.file = file
    self.idKey = idKey
    let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
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

  private func event(_ line: ArraySlice<UInt8>) -> LiveOldEvent? {
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
