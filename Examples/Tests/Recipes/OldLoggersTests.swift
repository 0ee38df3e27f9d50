import DualSend
import Foundation
import ShopRecipes
import Testing

struct OldLoggersTests {
  private final class Answers: @unchecked Sendable {
    var isOpen = true
    var names: [String] = []

    func take(_ name: String) -> Bool {
      if isOpen { names.append(name) }
      return isOpen
    }
  }

  @MainActor
  private final class Screen: MainActorLogging {
    var names: [String] = []

    func log(_ name: String, _ parameters: [String: Any]) { names.append(name) }
  }

  @Test func whatIsRefusedComesBeforeTheNextEvent() {
    let answers = Answers()
    let old = AnsweringLogger(capacity: 2) { name, _ in answers.take(name) }
    old.logEvents(name: "a")
    answers.isOpen = false
    for name in ["b", "c", "d"] { old.logEvents(name: name) }
    answers.isOpen = true
    old.logEvents(name: "e")
    #expect(answers.names == ["a", "c", "d", "e"])
  }

  @MainActor @Test func aCallOnTheMainThreadIsMadeAtOnceAndOthersInTheirOrder() async {
    let screen = Screen()
    let logger = MainActorLogger(screen)
    logger.logEvents(name: "main")
    #expect(screen.names == ["main"])
    await Task.detached { for index in 0..<20 { logger.logEvents(name: "\(index)") } }.value
    while screen.names.count < 21 { await Task.yield() }
    #expect(screen.names == ["main"] + (0..<20).map(String.init))
  }
}
