import Foundation

/// A generated app with a given number of lines. Like in real apps, most code logs nothing, and the rest logs in
/// several ways, with constants and wrappers in other files.
struct GeneratedApp {
  let folder: URL
  let lineCount: Int

  private static let linesPerFile = 400

  init(lines: Int, in folder: URL) throws {
    self.folder = folder
    var total = 0
    var number = 0
    try Self.logging.write(to: folder.appendingPathComponent("Logging.swift"), atomically: false, encoding: .utf8)
    while total < lines {
      let text = Self.screen(number)
      total += text.utf8.reduce(0) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
      let part = folder.appendingPathComponent("Part\(number / 100)")
      try FileManager.default.createDirectory(at: part, withIntermediateDirectories: true)
      try text.write(to: part.appendingPathComponent("Screen\(number).swift"), atomically: false, encoding: .utf8)
      number += 1
    }
    lineCount = total
  }

  private static let logging = """
    protocol EventLogger { func logEvents(name: String, parameters: [[String: Any]]) }
    enum Key: String { case id = "item_id", position, source, title }
    extension EventLogger {
      func track(_ name: String, _ parameters: [String: Any] = [:]) {
        logEvents(name: name, parameters: [parameters])
      }
    }

    """

  private static func screen(_ number: Int) -> String {
    var text = """
      import Foundation

      enum Screen\(number)Event {
        static let shown = "screen\(number).shown"
        static let tapped = "screen\(number).tapped"
      }

      final class Screen\(number)Model {
        private let logger: any EventLogger
        private var items: [Int] = []
        private let title: String

        init(logger: any EventLogger, title: String) {
          self.logger = logger
          self.title = title
        }

        func show(position: Int, source: String?) {
          var parameters: [String: Any] = [Key.position.rawValue: position, Key.title.rawValue: title]
          if let source { parameters[Key.source.rawValue] = source }
          logger.logEvents(name: Screen\(number)Event.shown, parameters: [parameters])
        }

        func tap(_ id: Int, isLong: Bool) {
          logger.track(isLong ? "screen\(number).held" : Screen\(number)Event.tapped, [Key.id.rawValue: id])
        }


      """
    var method = 0
    while text.utf8.count(where: { $0 == UInt8(ascii: "\n") }) < linesPerFile - 12 {
      text += """
          /// Computes the items again after a change, and keeps those that are still useful.
          func update\(method)(with values: [Int], limit: Int = \(method + 10)) -> [Int] {
            var result: [Int] = []
            for (index, value) in values.enumerated() where value % \(method + 2) == 0 {
              guard result.count < limit else { break }
              switch index % 3 {
              case 0: result.append(value * 2 + items.count)
              case 1: result.insert(value, at: 0)
              default: items.append(value)
              }
            }
            return result.map { $0 + title.count }.filter { !items.contains($0) }
          }


        """
      method += 1
    }
    return text + "}\n"
  }
}
