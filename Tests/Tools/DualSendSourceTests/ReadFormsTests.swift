import DualSendSource
import Foundation
import Testing

/// The tables of FromTheCode: each example of what is read is exact, and each of what is not is named with its line.
@Suite("The forms of Swift in the article", .timeLimit(.minutes(5)))
struct ReadFormsTests {
  private static let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../../Sources/DualSend/DualSend.docc/FromTheCode.md").standardized

  struct Row: CustomTestStringConvertible {
    let form: String
    let example: String

    var testDescription: String { form }
  }

  /// The rows of the table below a heading: a form, and an example in backticks.
  private static func rows(below heading: String) -> [Row] {
    let lines = (try? String(contentsOf: page, encoding: .utf8))?.components(separatedBy: "\n") ?? []
    return lines.drop { !$0.hasPrefix("| " + heading) }.dropFirst(2).prefix { $0.hasPrefix("|") }.map { line in
      let cells = line.components(separatedBy: " | ")
      let example = cells.dropFirst().joined(separator: " | ").dropLast(2).trimmingCharacters(in: .whitespaces)
      return Row(form: String(cells[0].dropFirst(2)), example: String(example.dropFirst().dropLast()))
    }
  }

  /// The places of an example. Its line is the last one.
  private func calls(_ example: String) -> [CallSite] {
    Sources(
      """
      let logger: any OldLogger = make()
      func log(_ name: String, _ keys: [String: Any] = [:]) { logger.logEvents(name: name, parameters: [keys]) }
      func send(_ event: Event) { logger.logEvents(name: event.name, parameters: [event.keys]) }
      enum Screen: String {
        case home, cart = "the_cart"
        case search
        var title: String {
          switch self {
          case .home, .cart: return "shop"
          case .search: return "search"
          }
        }
        static let first = Screen.home
      }
      enum Action { case tap(id: Int), leave }
      enum Names {
        static let opened = "opened"
        static let none: String? = nil
      }
      struct Event {
        let name: String
        var keys: [String: Any] = [:]
        static func made(_ count: Int = 0) -> Event { Event(name: "made", keys: ["count": count]) }
      }
      final class Record {
        let name: String
        init(name: String) { self.name = name }
      }
      final class Draft {
        var name = "a"
        var keys: [String: Any] = [:]
      }
      func name(of count: Int, short: String = "few") -> String { count > 3 ? "many" : short }
      extension Dictionary where Key == String, Value == Any {
        mutating func put(_ id: Int) { self["id"] = id }
      }
      func open(_ screen: Screen, _ action: Action, _ note: String?, _ isLong: Bool, _ ids: [Int]) throws {
        \(example)
      }
      """
    ).calls.filter { $0.line == 38 }
  }

  @Test("that are read give exact places", arguments: rows(below: "read"))
  func read(row: Row) {
    let calls = calls(row.example)
    #expect(!calls.isEmpty)
    for call in calls { #expect(call.certainty == .exact, "\(call.open)") }
  }

  @Test("that are not read are named, with their line", arguments: rows(below: "not read"))
  func unread(row: Row) {
    let calls = calls(row.example)
    #expect(!calls.isEmpty)
    let word = row.form.components(separatedBy: "`").dropFirst().first ?? ""
    for call in calls {
      #expect(call.certainty != .exact, "\(call.summary)")
      #expect(call.open.contains { $0.contains(word) && $0.contains("line 38") }, "\(call.open)")
    }
  }

  @Test("are many")
  func count() {
    #expect(Self.rows(below: "read").count > 15 && Self.rows(below: "not read").count > 10)
  }
}
