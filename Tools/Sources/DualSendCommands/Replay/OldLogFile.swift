import DualSend
@_spi(Tools) import DualSendCore
import DualSendJSONLines
import Foundation

/// The old sink of a replay: a file with one JSON line an event, `{"eventId", "name", "parameters", "time", "unitID"}`.
final class OldLogFile: OldLogger {
  /// The key under which the adapter stamps the event's id; moved out of the parameters into the line.
  static let eventIDKey = "$eventId"

  private struct State: Sendable {
    var file: JSONLinesFile
    var unitID: EventValue = .null
    var time: EventValue = .null
    var failure: String?
  }

  private let state: Locked<State>

  init(_ file: URL) throws {
    state = Locked(State(file: try JSONLinesFile(appendingTo: file)))
  }

  /// Says whose events the next calls bring: the old logger's interface has no place for that.
  func begin(unitID: String?, time: Int64?) {
    state.withLock { state in
      state.unitID = unitID.map { .string($0) } ?? .null
      state.time = time.map { .int($0) } ?? .null
    }
  }

  func logEvents(name: String, parameters: [[String: Any]]) {
    for payload in parameters {
      var converter = EventValueConverter()
      var values = converter.convert(payload)
      let id = values.removeValue(forKey: Self.eventIDKey) ?? .null
      state.withLock { [values] state in
        let line: EventValue = [
          "eventId": id, "name": .string(name), "parameters": .object(values), "time": state.time,
          "unitID": state.unitID,
        ]
        do { try state.file.append(line.canonicalJSON) } catch { state.failure = error.localizedDescription }
      }
    }
  }

  /// Hands everything to the operating system.
  ///
  /// - Throws: ``CommandError`` if any line since the start could not be written.
  func flush() throws {
    let failure = state.withLock { state -> String? in
      do { try state.file.flush() } catch { state.failure = error.localizedDescription }
      return state.failure
    }
    if let failure { throw CommandError("the old log cannot be written: \(failure)") }
  }
}
