import DualSendCommands
import DualSendCore

/// Refuses an edit that would replace a text that its author has not seen.
struct EditConflict {
  /// What stands there now; `nil` if nothing can be read.
  let current: [UInt8]?

  /// How the page names a text when it sends an edit of it.
  static func tag(of bytes: [UInt8]?) -> EventValue { bytes.map { .string(EntityTag.text(of: $0)) } ?? .null }

  /// Refuses an edit that began with another text than the current one.
  ///
  /// - Parameter request: its `tag` names the text that the edit began with; without one nothing is refused.
  func refuse(_ request: ConsoleRequest, edited: String) throws(ConsoleFailure) {
    guard let tag = request.members["tag"], tag != .null, tag != Self.tag(of: current) else { return }
    throw failure("the text has changed since this edit began", edited: edited)
  }

  func failure(_ message: String, edited: String) -> ConsoleFailure {
    let text = String(decoding: current ?? [], as: UTF8.self)
    return ConsoleFailure(
      409, message, help: "look at the difference, take over what changed, and publish again",
      members: [
        "needs": [],
        "current": [
          "text": .string(text), "tag": Self.tag(of: current),
          "difference": LineDifference(from: text, to: edited).json,
        ],
      ])
  }
}
