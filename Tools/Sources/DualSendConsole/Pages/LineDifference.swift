import DualSendCommands
import DualSendCore

/// Two texts line by line: what both have, what only the first has, what only the second has.
struct LineDifference {
  private let lines: [(kind: EditStep.Kind, text: String)]

  init(from old: String, to new: String) {
    let (old, new) = (Self.lines(of: old), Self.lines(of: new))
    lines = new.difference(from: old).steps(from: old.count, to: new.count).map { step in
      (step.kind, step.kind == .removed ? old[step.old].text : new[step.new].text)
    }
  }

  private static func lines(of text: String) -> [ExactText] {
    text.split(omittingEmptySubsequences: false) { $0.isNewline }.map { ExactText(String($0)) }
  }

  var json: EventValue {
    .array(lines.map { ["kind": .string($0.kind.rawValue), "line": .string($0.text)] })
  }
}
