import DualSendSource
import Testing

/// The work is counted in steps, which neither the machine nor the other tests change.
@Suite("The work that sources take", .timeLimit(.minutes(5)))
struct LinearWorkTests {
  private static let logger = "protocol EventLogger { func logEvents(name: String, parameters: [[String: Any]]) }\n"

  private static func steps(_ text: String) -> Int { Sources(logger + text).inventory().steps }

  private static func lines(_ count: Int, _ line: (Int) -> String) -> String {
    (0..<count).map { line($0) + "\n" }.joined()
  }

  @Test(
    "grows no faster than they do", arguments: ["cases", "branches", "ternaries", "types", "constants", "wrappers"])
  func isLinear(kind: String) throws {
    let source: (Int) -> String =
      switch kind {
      case "cases": Self.cases
      case "branches": Self.branches
      case "ternaries": Self.ternaries
      case "types": Self.types
      case "constants": Self.constants
      default: Self.wrappers
      }
    let (one, two) = (Self.steps(source(100)), Self.steps(source(200)))
    #expect(one > 100, "\(one)")
    #expect(Double(two) / Double(one) < 2.5, "\(one) steps, then \(two)")
  }

  private static func cases(_ count: Int) -> String {
    """
    enum Action {
    \(lines(count) { "case case\($0)" })
    var name: String { switch self {
    \(lines(count) { "case .case\($0): return \"event_\($0)\"" }) } }
    }
    func work(_ logger: any EventLogger, _ action: Action) { logger.logEvents(name: action.name, parameters: [[:]]) }
    """
  }

  private static func branches(_ count: Int) -> String {
    """
    func work(_ logger: any EventLogger, _ flags: [Bool]) {
    var p: [String: Any] = [:]
    \(lines(count) { "if flags[\($0)] { p[\"key\($0)\"] = 1 }" })
    logger.logEvents(name: "a", parameters: [p])
    }
    """
  }

  private static func ternaries(_ count: Int) -> String {
    """
    func work(_ logger: any EventLogger, _ n: Int) {
    \(lines(count) { "let name\($0) = n == \($0) ? \"x\($0)\" : \"y\($0)\"" })
    logger.logEvents(name: name0, parameters: [["k": name\(count - 1)]])
    }
    """
  }

  private static func types(_ count: Int) -> String {
    lines(count) { number in
      """
      struct Screen\(number) {
      let logger: any EventLogger
      static func name(_ n: Int) -> String { "screen\(number)" }
      private func track(_ name: String) { logger.logEvents(name: name, parameters: [[:]]) }
      func show() { track(Screen\(number).name(1)) }
      }
      """
    }
  }

  private static func constants(_ count: Int) -> String {
    lines(count) { "let name\($0) = \($0 == 0 ? "\"a\"" : "name\($0 - 1)")" }
      + lines(count) {
        "func work\($0)(_ l: any EventLogger) { l.logEvents(name: name\($0 % 10), parameters: [[:]]) }"
      }
  }

  private static func wrappers(_ count: Int) -> String {
    "func track(_ name: String, _ l: any EventLogger) { l.logEvents(name: name, parameters: [[:]]) }\n"
      + lines(count) { "func work\($0)(_ l: any EventLogger) { track(\"event\($0)\", l) }" }
  }
}
