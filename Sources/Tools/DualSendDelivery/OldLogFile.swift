import DualSend
import DualSendCommandLine
import DualSendCore
package import Foundation

/// The old logger of a replay: a file with one JSON line per event, `{"decision", "eventId", "name", "parameters",
/// "time", "unitID"}`.
///
/// Lines that an earlier run wrote after its last mark are not written again.
package final class OldLogFile: OldLogger {
  /// The key under which the adapter puts the event's id; moved out of the parameters into the line.
  package static let eventIDKey = "$eventId"

  private struct State: Sendable {
    var file: JSONLinesFile?
    var written: Set<String> = []
    var unitID: EventValue = .null
    var time: EventValue = .null
    var failure: String?
  }

  private let url: URL
  private let state = Locked(State())

  package init(_ file: URL) {
    url = file
  }

  /// - Parameter mark: the file's length in bytes at the last commit of an earlier run; `nil` for a first run.
  package func open(resumingAt mark: Int64?) throws {
    let written = try mark.map { try OldLogTail.ids(in: url, from: $0) } ?? []
    let file = try OutputFile.opened(url.path)
    state.withLock { state in
      state.file = file
      state.written = written
    }
  }

  /// The file's length in bytes.
  var length: Int64 { get throws { try OpenedFile.ifAny(url.path)?.size ?? 0 } }

  /// Sets the unit and the time of the next events, for which ``OldLogger`` has no parameters.
  package func begin(unitID: String?, time: Int64?) {
    state.withLock { state in
      state.unitID = unitID.map { .string($0) } ?? .null
      state.time = time.map { .int($0) } ?? .null
    }
  }

  package func logEvents(name: String, parameters: [[String: Any]]) {
    for payload in parameters {
      var converter = EventValueConverter()
      var values = converter.convert(payload)
      let id = values.removeValue(forKey: Self.eventIDKey) ?? .null
      let decision = values.removeValue(forKey: CarriedDecision.key) ?? .null
      state.withLock { [values] state in
        if case .string(let id) = id, state.written.contains(id) { return }
        let line: EventValue = [
          "decision": decision, "eventId": id, "name": .string(name), "parameters": .object(values),
          "time": state.time, "unitID": state.unitID,
        ]
        do { try state.file?.append(line.canonicalJSON) } catch { state.failure = error.localizedDescription }
      }
    }
  }

  /// Writes buffered lines to the file.
  ///
  /// - Throws: ``CommandError`` if any line since the start could not be written.
  package func flush() throws {
    let failure = state.withLock { state -> String? in
      do { try state.file?.flush() } catch { state.failure = error.localizedDescription }
      return state.failure
    }
    guard let failure else { return }
    throw CommandError(
      "the old log \(url.path) cannot be written: \(failure)",
      help: "free some space and run the same command again: it continues where it stopped")
  }
}

/// The lines of an old log after the last commit.
enum OldLogTail {
  /// The ids of its events. Removes an incomplete last line, left by a crash or a full disk, from the file.
  static func ids(in file: URL, from mark: Int64) throws -> Set<String> {
    guard FileManager.default.fileExists(atPath: file.path) else { return [] }
    let handle = try FileHandle(forUpdating: file)
    defer { try? handle.close() }
    // A file that is shorter than the mark was replaced: read all of it.
    let start = UInt64(max(0, mark)) <= (try handle.seekToEnd()) ? UInt64(max(0, mark)) : 0
    try handle.seek(toOffset: start)
    let bytes = Array(try handle.readToEnd() ?? Data())
    var ids: Set<String> = []
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      guard case .object(let members)? = try? JSONReader().value(line) else {
        if line.endIndex == bytes.endIndex { try handle.truncate(atOffset: start + UInt64(line.startIndex)) }
        continue
      }
      if case .string(let id)? = members["eventId"] { ids.insert(id) }
    }
    return ids
  }
}
