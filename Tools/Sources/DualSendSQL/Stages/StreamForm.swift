/// One of the two streams: its relation, and the members of its lines.
struct StreamForm {
  let side: String
  let relation: String
  /// The members with the event's name, its values and its time.
  let (name, payload, time): (String, String, String)
  /// The other members that a line may have only once.
  let others: [String]

  static func old(_ relation: String) -> StreamForm {
    StreamForm(
      side: "old", relation: relation, name: "name", payload: "parameters", time: "time",
      others: ["eventId", "decision", "unitID"])
  }

  static func new(_ relation: String) -> StreamForm {
    StreamForm(
      side: "new", relation: relation, name: "eventName", payload: "payload", time: "eventTime",
      others: ["eventId", "decision"])
  }

  /// The members that a line may have only once, as literals of a list.
  var members: String {
    ([name, payload, time] + others).map { "'\($0)'" }.joined(separator: ", ")
  }
}
