import Dispatch
import Foundation

/// The shop's old logger: appends each event to a file, as one line of JSON.
public final class JSONLinesLogger: EventLogger {
  private let file: FileHandle
  private let queue = DispatchQueue(label: "shop.logger")

  public init(appendingTo url: URL) throws {
    if !FileManager.default.fileExists(atPath: url.path) {
      try Data().write(to: url)
    }
    file = try FileHandle(forWritingTo: url)
    try file.seekToEnd()
  }

  deinit {
    try? file.close()
  }

  public func logEvents(name: String, parameters: [[String: Any]]) {
    for event in parameters {
      let milliseconds = Int(Date().timeIntervalSince1970 * 1_000)
      let line: [String: Any] = ["name": name, "parameters": event, "time": milliseconds]
      guard JSONSerialization.isValidJSONObject(line),
        let json = try? JSONSerialization.data(withJSONObject: line, options: .sortedKeys)
      else { continue }
      // Serial, to keep the order.
      queue.sync { try? file.write(contentsOf: json + Data("\n".utf8)) }
    }
  }
}
