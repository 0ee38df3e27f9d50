public import DualSendCore

/// A case of the conformance suite: a question and the answer that every evaluator must give.
public struct ConformanceCase: Sendable {
  /// The kind of a question. `Fixtures/conformance/README.md` describes the members of each kind.
  public enum Kind: String, Sendable, CaseIterable {
    /// The sinks that receive an event, and the reasons.
    case decision
    /// The number of buckets with each outcome.
    case population
    /// An event after remapping.
    case remapping
    /// A remapped event after the inverse.
    case inverse
    /// The differences between two payloads.
    case comparison
    /// Whether a document is valid.
    case reading
  }

  /// The file and the case's position in it, counted from 1: `decision/platform/3`.
  public let id: String
  /// The kind of the question.
  public let kind: Kind
  /// The question's members, including those that all cases of the file share.
  public let question: [String: EventValue]
  /// The answer's members.
  public let answer: [String: EventValue]

  /// The question as one line of JSON, without the line break.
  public var line: String {
    let members = question.merging(["id": .string(id), "kind": .string(kind.rawValue)]) { $1 }
    return EventValue.object(members).canonicalText
  }

  /// How an answer differs from the expected one, a line for each member; empty if it is right.
  ///
  /// Numbers are compared by their canonical texts. Members that the case does not expect are ignored.
  public func differences(from given: [String: EventValue]) -> [String] {
    answer.sorted { String.byteOrder($0.key, $1.key) }.flatMap { key, expected in
      Self.differences(expected, given.value(exactly: key), at: key)
    }
  }

  private static func differences(_ expected: EventValue, _ given: EventValue?, at place: String) -> [String] {
    guard let given else { return ["\(place): expected \(expected.canonicalText), found nothing"] }
    if case (.object(let expected), .object(let given)) = (expected, given) {
      let keys = Set((Array(expected.keys) + given.keys).map(ExactText.init)).map(\.text)
      return keys.sorted(by: String.byteOrder).flatMap { key -> [String] in
        let place = place + "." + key.printable()
        guard let member = expected.value(exactly: key) else { return ["\(place): expected nothing, found a value"] }
        return differences(member, given.value(exactly: key), at: place)
      }
    }
    let (left, right) = (expected.canonicalText, given.canonicalText)
    return left.isExactly(right) ? [] : ["\(place): expected \(left), found \(right)"]
  }
}
