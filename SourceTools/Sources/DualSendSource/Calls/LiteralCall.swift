import SwiftSyntax

/// A call that says its event itself, or by what it goes through: what stands where, and what each part can be.
public struct LiteralCall: Sendable {
  /// A value in a dictionary that is written down.
  public indirect enum Value: Sendable {
    /// A dictionary literal: its keys and values, as they stand.
    case object([Member])
    /// An array literal.
    case list
    /// Any other expression.
    case expression(WrittenExpression)
  }

  /// A key and its value.
  public struct Member: Sendable {
    /// What the key can be.
    public let key: SourceValue
    /// What stands behind it.
    public let value: Value
  }

  /// A function that the call goes through: what it logs, nobody logs when all such calls are gone.
  public struct Passage: Sendable, Hashable {
    /// The file's number.
    public let file: Int
    /// The type that it stands in, dotted; empty outside of any.
    public let type: String
    /// With its labels.
    public let function: String
  }

  /// A local constant that only the call reads.
  public struct Spare: Sendable, Hashable {
    /// Its name.
    public let name: String
    /// The bytes of its declaration, up to the next statement.
    public let range: Range<Int>
  }

  /// An event that is known in every part.
  public struct Event: Sendable {
    /// The event's name.
    public let name: SourceValue
    /// The name as the call can write it; `nil` if it can only write the text.
    public let writtenName: WrittenExpression?
    /// The events' parameters.
    public let payloads: [Value]
    /// What the call evaluates, in order.
    public let uses: [WrittenExpression.Use]
    /// What it goes through, outermost first.
    public let passages: [Passage]
    /// The bytes of the constants before it whose values stand in their places, up to the next statement.
    public let constants: [Range<Int>]
    /// The constants before it that it alone reads: they can go if what takes its place does not read them.
    public let spare: [Spare]
  }

  /// The file's number.
  public let file: Int
  /// By which the call is told from the others of its file.
  let placeOffset: Int
  /// The bytes of the whole call, what it is made on included.
  public let range: Range<Int>
  /// How far the line is indented that the call begins on, in bytes.
  public let indentation: Int
  /// Whether comments stand between its parts.
  public let hasComments: Bool
  /// The event; `nil` where the call does not write it down.
  public let event: Event?
  /// Why there is no event.
  public let obstacle: String
  /// The obstacle of a call that goes on unchanged after a migration.
  public static let stays = "it stays as it is: its event gets the new name and keys where they are written"
  /// The dictionary that is logged, where it is built before.
  public var stepped: SteppedDictionary?

  /// The same call, met on another way through the function.
  func merged(with other: LiteralCall) -> LiteralCall {
    guard let mine = event, let others = other.event else { return event == nil ? self : other }
    let merged = mine.merged(with: others)
    return LiteralCall(
      file: file, placeOffset: placeOffset, range: range, indentation: indentation, hasComments: hasComments,
      event: merged, obstacle: merged == nil ? "it is another event on another way through the function" : "")
  }
}

extension LiteralCall.Event {
  fileprivate func merged(with other: LiteralCall.Event) -> LiteralCall.Event? {
    guard payloads.count == other.payloads.count, uses == other.uses, constants == other.constants,
      writtenName?.text == other.writtenName?.text
    else { return nil }
    var merged: [LiteralCall.Value] = []
    for (left, right) in zip(payloads, other.payloads) {
      guard let both = left.merged(with: right) else { return nil }
      merged.append(both)
    }
    return LiteralCall.Event(
      name: .oneOf([name, other.name]),
      writtenName: writtenName.flatMap { mine in other.writtenName.map { mine.merged(with: $0) } }, payloads: merged,
      uses: uses, passages: passages + other.passages.filter { !passages.contains($0) },
      constants: constants, spare: spare)
  }
}

extension LiteralCall.Value {
  func merged(with other: LiteralCall.Value) -> LiteralCall.Value? {
    switch (self, other) {
    case (.object(let left), .object(let right)):
      guard left.count == right.count else { return nil }
      var members: [LiteralCall.Member] = []
      for (one, another) in zip(left, right) {
        guard let value = one.value.merged(with: another.value) else { return nil }
        members.append(LiteralCall.Member(key: .oneOf([one.key, another.key]), value: value))
      }
      return .object(members)
    case (.list, .list): return .list
    case (.expression(let left), .expression(let right)):
      guard left.text == right.text, left.integer == right.integer, left.text != nil || left.value == right.value else {
        return nil
      }
      return .expression(left.merged(with: right))
    default: return nil
    }
  }
}

extension WrittenExpression {
  func merged(with other: WrittenExpression) -> WrittenExpression {
    WrittenExpression(
      text: text, value: .oneOf([value, other.value]), integer: integer,
      choice: value == other.value ? choice : nil, uses: uses)
  }
}

extension FunctionCallExprSyntax {
  /// How far the line is indented that the call begins on.
  var lineIndentation: Int {
    var token = firstToken(viewMode: .sourceAccurate)
    while let here = token {
      let trivia = here.leadingTrivia
      if trivia.contains(where: \.isNewline) || here.previousToken(viewMode: .sourceAccurate) == nil {
        return trivia.reversed().prefix { !$0.isNewline }.reduce(0) { $0 + $1.sourceLength.utf8Length }
      }
      token = here.previousToken(viewMode: .sourceAccurate)
    }
    return 0
  }

  var hasInnerComments: Bool {
    let first = firstToken(viewMode: .sourceAccurate)
    let last = lastToken(viewMode: .sourceAccurate)
    return tokens(viewMode: .sourceAccurate).contains { token in
      (token != first && token.leadingTrivia.contains(where: \.isComment))
        || (token != last && token.trailingTrivia.contains(where: \.isComment))
    }
  }
}

extension TriviaPiece {
  var isComment: Bool {
    switch self {
    case .lineComment, .blockComment, .docLineComment, .docBlockComment: true
    default: false
    }
  }
}
