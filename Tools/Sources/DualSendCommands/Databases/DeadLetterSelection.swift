import ArgumentParser
import DualSendTracking

/// Selects dead letters: all, or those that match every given option.
struct DeadLetterSelection: ParsableArguments {
  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("Only the event with this id; may be repeated.", valueName: "id"))
  var id: [String] = []
  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("Only events of this name, or of a prefix that ends in `*`; may be repeated.", valueName: "name")
  )
  var event: [String] = []
  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("Only this reason, or a prefix that ends in `*`; may be repeated.", valueName: "text"))
  var reason: [String] = []

  func contains(_ letter: DeadLetter) -> Bool {
    (id.isEmpty || id.contains { Self.matches($0.lowercased(), letter.event.id.description) })
      && (event.isEmpty || event.contains { Self.matches($0, letter.event.name) })
      && (reason.isEmpty || reason.contains { Self.matches($0, letter.reason) })
  }

  private static func matches(_ pattern: String, _ text: String) -> Bool {
    let (pattern, text) = (Array(pattern.utf8), Array(text.utf8))
    return pattern.last == UInt8(ascii: "*") ? text.starts(with: pattern.dropLast()) : text == pattern
  }
}
