import DualSendCore

/// What the console answers to a request.
struct ConsoleAnswer: Sendable {
  /// The status code.
  var status: Int
  /// The header fields beside those that every answer has.
  var headers: [String: String]
  /// The body; not used if there is a stream.
  var body: [UInt8]
  /// Events that follow one another for as long as the page is there.
  var stream: LiveStream?

  init(status: Int = 200, headers: [String: String] = [:], body: [UInt8] = []) {
    (self.status, self.headers, self.body) = (status, headers, body)
  }

  /// An answer that goes on.
  static func stream(_ stream: LiveStream) -> ConsoleAnswer {
    var answer = ConsoleAnswer(headers: ["Content-Type": "text/event-stream"])
    answer.stream = stream
    return answer
  }

  /// An answer whose body is this value.
  static func json(_ value: EventValue, status: Int = 200) -> ConsoleAnswer {
    ConsoleAnswer(status: status, headers: ["Content-Type": "application/json"], body: value.canonicalJSON)
  }
}

/// Why a request was not answered as it asked.
package struct ConsoleFailure: Error, Sendable, Hashable {
  /// The status code.
  let status: Int
  /// One factual line, fit to be shown.
  let message: String
  /// The way out.
  let help: String?
  /// What the answer holds beside `error`.
  let members: [String: EventValue]

  init(_ status: Int, _ message: String, help: String? = nil, members: [String: EventValue] = [:]) {
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
