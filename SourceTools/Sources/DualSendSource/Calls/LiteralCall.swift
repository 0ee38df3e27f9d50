import DualSendCore
import SwiftSyntax

/// A call that says its event itself: what stands where, and what each part can be.
public struct LiteralCall: Sendable {
  /// A value in a dictionary that the call writes down.
  public indirect enum Value: Sendable {
    /// A dictionary literal: its keys and values, as they stand.
    case object([Member])
    /// An array literal.
    case list([Value])
    /// Any other expression, by its text.
    case expression(String, SourceValue)
  }

  /// A key and its value.
  public struct Member: Sendable {
    /// What the key can be.
    public let key: SourceValue
    /// What stands behind it.
    public let value: Value
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
  /// The event's name.
  public let name: SourceValue
  /// The events' parameters; `nil` where the call does not write them down.
  public let payloads: [Value]?

  /// The same call, met on another way through the function.
  func merged(with other: LiteralCall) -> LiteralCall {
    LiteralCall(
      file: file, placeOffset: placeOffset, range: range, indentation: indentation, hasComments: hasComments,
      name: .oneOf([name, other.name]),
      payloads: payloads.flatMap { mine in other.payloads.map { zip(mine, $0).map { $0.merged(with: $1) } } })
  }
}

extension LiteralCall.Value {
  fileprivate func merged(with other: LiteralCall.Value) -> LiteralCall.Value {
    switch (self, other) {
    case (.object(let left), .object(let right)):
      .object(
        zip(left, right).map {
          LiteralCall.Member(key: .oneOf([$0.key, $1.key]), value: $0.value.merged(with: $1.value))
        })
    case (.list(let left), .list(let right)): .list(zip(left, right).map { $0.merged(with: $1) })
    case (.expression(let text, let left), .expression(_, let right)): .expression(text, .oneOf([left, right]))
    default: self
    }
  }
}

extension Evaluator {
  /// A call whose name and parameters stand in two of its arguments.
  func literalCall(
    _ call: FunctionCallExprSyntax, name: ExprSyntax, parameters: ExprSyntax?, _ context: EvaluationContext,
    _ path: Path
  ) -> LiteralCall {
    var path = path
    let start = call.positionAfterSkippingLeadingTrivia.utf8Offset
    return LiteralCall(
      file: context.file, placeOffset: call.placeOffset,
      range: start..<call.endPositionBeforeTrailingTrivia.utf8Offset, indentation: call.lineIndentation,
      hasComments: call.hasInnerComments,
      name: value(name, context, &path, expected: TypeID(name: "String", file: nil)),
      payloads: parameters.map { payloads($0, context, &path) } ?? [.object([])])
  }

  private func payloads(
    _ expression: ExprSyntax, _ context: EvaluationContext, _ path: inout Path
  ) -> [LiteralCall.Value]? {
    if expression.is(DictionaryExprSyntax.self) { return [literal(expression, context, &path)] }
    guard let array = expression.as(ArrayExprSyntax.self),
      array.elements.allSatisfy({ $0.expression.is(DictionaryExprSyntax.self) })
    else { return nil }
    return array.elements.map { literal($0.expression, context, &path) }
  }

  private func literal(
    _ expression: ExprSyntax, _ context: EvaluationContext, _ path: inout Path
  ) -> LiteralCall.Value {
    if let dictionary = expression.as(DictionaryExprSyntax.self) {
      guard case .elements(let elements) = dictionary.content else { return .object([]) }
      return .object(
        elements.map { element in
          LiteralCall.Member(
            key: key(element.key, context, &path), value: literal(element.value, context, &path))
        })
    }
    if let array = expression.as(ArrayExprSyntax.self) {
      return .list(array.elements.map { literal($0.expression, context, &path) })
    }
    // A container that says its type is a container all the same.
    if let cast = expression.as(AsExprSyntax.self), cast.questionOrExclamationMark == nil,
      cast.expression.is(DictionaryExprSyntax.self)
    {
      return literal(cast.expression, context, &path)
    }
    return .expression(expression.trimmedDescription, value(expression, context, &path))
  }
}

extension FunctionCallExprSyntax {
  /// How far the line is indented that the call begins on.
  fileprivate var lineIndentation: Int {
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

  fileprivate var hasInnerComments: Bool {
    let first = firstToken(viewMode: .sourceAccurate)
    let last = lastToken(viewMode: .sourceAccurate)
    return tokens(viewMode: .sourceAccurate).contains { token in
      (token != first && token.leadingTrivia.contains(where: \.isComment))
        || (token != last && token.trailingTrivia.contains(where: \.isComment))
    }
  }
}

extension TriviaPiece {
  fileprivate var isComment: Bool {
    switch self {
    case .lineComment, .blockComment, .docLineComment, .docBlockComment: true
    default: false
    }
  }
}
