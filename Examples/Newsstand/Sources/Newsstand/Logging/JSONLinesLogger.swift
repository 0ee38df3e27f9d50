import Foundation

/// The app's old logger: appends each event to a file, as one line of JSON.
final class JSONLinesLogger: EventLogger {
  private let file: FileHandle
  private let queue = DispatchQueue(label: "newsstand.logger")

  init(_ url: URL) throws {
    try Data().write(to: url)
    file = try FileHandle(forWritingTo: url)
  }

  deinit {
    try? file.close()
  }

  func logEvents(name: String, parameters: [[String: Any]]) {
    for event in parameters {
      let milliseconds = Int(Date().timeIntervalSince1970 * 1_000)
      let line: [String: Any] = ["name": name, "parameters": event, "time": milliseconds]
      guard JSONSerialization.isValidJSONObject(line),
        let json = try? JSONSerialization.data(withJSONObject: line, options: .sortedKeys)
      else {
        // Every event of this app must be JSON. Otherwise, it would silently be missing from the comparison.
        preconditionFailure("\(name) is no JSON")
      }
      // Serial, to keep the order.
      queue.sync { try? file.write(contentsOf: json + Data("\n".utf8)) }
    }
  }
}
