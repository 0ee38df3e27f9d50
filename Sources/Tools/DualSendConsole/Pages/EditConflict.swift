import DualSendCommands
import DualSendCore

/// Refuses an edit that would replace a text that its author has not seen.
struct EditConflict {
  /// The current text; `nil` if it cannot be read.
  let current: [UInt8]?

  /// The tag by which the page names the text that an edit began with.
  static func tag(of bytes: [UInt8]?) -> EventValue { bytes.map { .string(EntityTag.text(of: $0)) } ?? .null }

  /// Refuses an edit that began with another text than the current one.
  ///
  /// - Parameter request: its `tag` names the text that the edit began with; a request without a tag is accepted.
  func refuse(_ request: ConsoleRequest, edited: String) throws(ConsoleFailure) {
    guard let tag = request.members["tag"], tag != .null, tag != Self.tag(of: current) else { return }
    throw failure("the text has changed since this edit began", edited: edited)
  }

  func failure(_ message: String, edited: String) -> ConsoleFailure {
    let text = String(decoding: current ?? [], as: UTF8.self)
    return ConsoleFailure(
      409, message, help: "review the difference, merge the changes, and publish again",
      members: [
        "needs": [],
        "current": [
          "text": .string(text), "tag": Self.tag(of: current),
          "difference": LineDifference(from: text, to: edited).json,
        ],
      ])
  }
}

/// A line-by-line difference of two texts.
struct LineDifference {
  private let lines: [(kind: EditStep.Kind, text: String)]

  init(from old: String, to new: String) {
    let (old, new) = (Self.lines(of: old), Self.lines(of: new))
    lines = EditStep.steps(from: old, to: new).map { step in
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
