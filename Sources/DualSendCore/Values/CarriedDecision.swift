/// What an app decided for one event: the rollout in force and the sinks that got the event.
///
/// Both streams carry it, so that a comparison does not have to guess what the app knew. Its text takes a few bytes:
///
/// | text | the app had | and sent the event to |
/// |---|---|---|
/// | `12:both` | revision 12 | the old logger and the new tracker |
/// | `12:old` | revision 12 | the old logger |
/// | `12:new+amplitude` | revision 12 | the new tracker, and the sink `amplitude` beside it |
/// | `-:old` | no document, or plain booleans | the old logger |
/// | `12:old:missingUnit` | revision 12, and no unit ID | the old logger |
/// | `12:none+amplitude:scope` | revision 12, and a call that named its sinks | `amplitude` alone |
///
/// New events have it as `decision` next to `eventId`, old events as the parameter ``key``.
public struct CarriedDecision: Sendable, Hashable {
  /// The name of the old logger's parameter, and of the property in vendors' formats, that holds the text.
  public static let key = "dual_send"
  /// The longest text that is read, in bytes.
  static let maximumLength = 1024

  /// What influenced the decision besides the document's flags. Later versions may add reasons.
  public struct Reason: Sendable, Hashable {
    /// There was no unit ID, so `missingUnit` decided.
    public static let missingUnit = Reason("missingUnit")
    /// The device's breaker keeps the event from the new side.
    public static let breaker = Reason("breaker")
    /// The call restricted the event to certain sinks.
    public static let scope = Reason("scope")

    /// The word in the decision's text.
    public let word: String

    private init(_ word: String) {
      self.word = word
    }

    /// - Returns: `nil` unless the word consists of ASCII letters.
    fileprivate init?(reading word: Substring) {
      let isWord = !word.isEmpty && word.utf8.allSatisfy { (0x61...0x7a).contains($0 | 0x20) }
      guard isWord else { return nil }
      self.word = String(word)
    }
  }

  /// The revision in force; `nil` without a document.
  public let revision: Int64?
  /// Whether the old logger got the event.
  public let oldLogger: Bool
  /// Whether the new tracker got it.
  public let newTracker: Bool
  /// The ids of the other sinks that got it. Only ids that a rollout document can name: letters, digits, `_`, `-` and
  /// `.`.
  public let sinks: [String]
  /// The reason, if anything besides the flags decided.
  public let reason: Reason?

  /// Creates a decision. Sorts the ids, and omits those that a rollout document cannot name.
  public init(
    revision: Int64?, oldLogger: Bool, newTracker: Bool, sinks: [String] = [], reason: Reason? = nil
  ) {
    self.revision = revision
    self.oldLogger = oldLogger
    self.newTracker = newTracker
    self.sinks = sinks.filter { $0[...].isSinkID }.inOrder(by: String.byteOrder)
    self.reason = reason
  }
}

extension CarriedDecision: CustomStringConvertible {
  private enum Words {
    static let noRevision = "-"
    static let (both, old, new, none) = ("both", "old", "new", "none")
  }

  /// The decision's text: printable ASCII without quotes and backslashes, so that JSON needs no escapes.
  public var description: String {
    let sides =
      switch (oldLogger, newTracker) {
      case (true, true): Words.both
      case (true, false): Words.old
      case (false, true): Words.new
      case (false, false): Words.none
      }
    var text = (revision.map(String.init) ?? Words.noRevision) + ":" + sides
    for sink in sinks { text += "+" + sink }
    if let reason { text += ":" + reason.word }
    return text
  }

  /// Reads a decision's text. Each decision has only one text.
  ///
  /// - Returns: `nil` for any other text, and for one longer than 1,024 bytes.
  public init?(_ text: String) {
    guard text.utf8.count <= Self.maximumLength else { return nil }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count) else { return nil }
    if parts[0] == Words.noRevision {
      revision = nil
    } else {
      // Only the form that `description` writes: no sign and no leading zeros.
      guard let number = Int64(parts[0]), number >= 0, "\(number)" == parts[0] else { return nil }
      revision = number
    }
    var receivers = parts[1].split(separator: "+", omittingEmptySubsequences: false)
    switch receivers.removeFirst() {
    case Words.both[...]: (oldLogger, newTracker) = (true, true)
    case Words.old[...]: (oldLogger, newTracker) = (true, false)
    case Words.new[...]: (oldLogger, newTracker) = (false, true)
    case Words.none[...]: (oldLogger, newTracker) = (false, false)
    default: return nil
    }
    guard receivers.allSatisfy(\.isSinkID) else { return nil }
    sinks = receivers.map(String.init)
    if parts.count == 3 {
      guard let reason = Reason(reading: parts[2]) else { return nil }
      self.reason = reason
    } else {
      reason = nil
    }
  }
}

extension Substring {
  /// Whether it is a sink id that a rollout document can name.
  fileprivate var isSinkID: Bool {
    !isEmpty
      && utf8.allSatisfy { byte in
        (0x61...0x7a).contains(byte | 0x20) || (0x30...0x39).contains(byte) || [0x2d, 0x2e, 0x5f].contains(byte)
      }
  }
}
