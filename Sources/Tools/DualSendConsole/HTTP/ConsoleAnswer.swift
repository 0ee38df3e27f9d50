import DualSendCommands
import DualSendCore

/// The console's answer to a request.
struct ConsoleAnswer: Sendable {
  /// The status code.
  var status: Int
  /// The header fields beside the common ones.
  var headers: [String: String]
  /// The body; ignored if there is a stream.
  var body: [UInt8]
  /// Server-sent events, written until the page disconnects.
  var stream: LiveStream?

  init(status: Int = 200, headers: [String: String] = [:], body: [UInt8] = []) {
    (self.status, self.headers, self.body) = (status, headers, body)
  }

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

/// The reason why a request failed.
package struct ConsoleFailure: Error, Sendable, Hashable {
  /// The status code.
  let status: Int
  /// One line for people.
  let message: String
  /// A suggested fix.
  let help: String?
  /// The members of the answer beside `error`.
  let members: [String: EventValue]

  init(_ status: Int, _ message: String, help: String? = nil, members: [String: EventValue] = [:]) {
    self.status = status
    self.message = message.hidingSecrets.printable(limit: PrintableText.lineLimit)
    self.help = help?.hidingSecrets.printable(limit: PrintableText.lineLimit)
    self.members = members
  }

  /// The answer to the request.
  var answer: ConsoleAnswer {
    var error: [String: EventValue] = ["message": .string(message)]
    if let help { error["help"] = .string(help) }
    return .json(.object(members.merging(["error": .object(error)]) { _, error in error }), status: status)
  }
}

/// Entity tags of bodies.
enum EntityTag {
  /// The FNV-1a hash and the length. Equal bytes have equal tags.
  static func text(of body: [UInt8]) -> String {
    "\(String(FNV1a.hash(body), radix: 16))-\(body.count)"
  }
}
