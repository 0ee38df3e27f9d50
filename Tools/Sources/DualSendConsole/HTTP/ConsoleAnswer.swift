package import DualSendCore

/// What the console answers to a request.
package struct ConsoleAnswer: Sendable {
  /// The status code.
  package var status: Int
  /// The header fields beside those that every answer has.
  package var headers: [String: String]
  /// The body.
  package var body: [UInt8]

  package init(status: Int = 200, headers: [String: String] = [:], body: [UInt8] = []) {
    (self.status, self.headers, self.body) = (status, headers, body)
  }

  /// An answer whose body is this value.
  package static func json(_ value: EventValue, status: Int = 200) -> ConsoleAnswer {
    ConsoleAnswer(status: status, headers: ["Content-Type": "application/json"], body: value.canonicalJSON)
  }
}

/// Why a request was not answered as it asked.
package struct ConsoleFailure: Error, Sendable, Hashable {
  /// The status code.
  package let status: Int
  /// One factual line, fit to be shown.
  package let message: String
  /// The way out.
  package let help: String?
  /// What the answer holds beside `error`.
  package let members: [String: EventValue]

  package init(_ status: Int, _ message: String, help: String? = nil, members: [String: EventValue] = [:]) {
    self.status = status
    self.message = message.hidingSecrets.printable(limit: PrintableText.lineLimit)
    self.help = help?.hidingSecrets.printable(limit: PrintableText.lineLimit)
    self.members = members
  }

  /// What goes back.
  var answer: ConsoleAnswer {
    var error: [String: EventValue] = ["message": .string(message)]
    if let help { error["help"] = .string(help) }
    return .json(.object(members.merging(["error": .object(error)]) { _, error in error }), status: status)
  }
}
