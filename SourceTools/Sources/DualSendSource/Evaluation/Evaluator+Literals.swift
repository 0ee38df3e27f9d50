import DualSendCore
import SwiftParser
import SwiftSyntax

extension Evaluator {
  /// A string literal, with whatever is known of what it interpolates.
  func text(
    _ literal: StringLiteralExprSyntax, _ context: EvaluationContext, _ path: inout Path
  ) -> SourceValue {
    if let text = literal.representedLiteralValue { return .text(text) }
    var whole = SourceValue.text("")
    for segment in literal.segments {
      switch segment {
      case .stringSegment:
        guard
          let text = literal.with(\.segments, StringLiteralSegmentListSyntax([segment])).representedLiteralValue
        else { return .open("the string literal is broken") }
        whole = whole.concatenated(with: .text(text))
      case .expressionSegment(let inner):
        guard inner.expressions.count == 1, let only = inner.expressions.first, only.label == nil else {
          for argument in inner.expressions { _ = value(argument.expression, context, &path) }
          whole = whole.concatenated(with: .open("`\(inner.excerpt)`"))
          continue
        }
        let part = value(only.expression, context, &path)
        whole = whole.concatenated(with: part.described(as: only.expression.excerpt))
      }
    }
    return whole
  }

  /// A dictionary literal.
  func object(
    _ dictionary: DictionaryExprSyntax, _ context: EvaluationContext, _ path: inout Path
  ) -> SourceValue {
    guard case .elements(let elements) = dictionary.content else { return SourceValue(.object(.init())) }
    // Most keys are known: they are put into one dictionary, without a copy for each.
    var plain = SourceValue.ObjectShape()
    var rest = elements[...]
    while let element = rest.first, element.key.isPlainText {
      guard let key = key(element.key, context, &path).knownText else { break }
      plain.members[key] = .init(value: value(element.value, context, &path))
      rest.removeFirst()
    }
    var shapes = [SourceValue(.object(plain))]
    for element in rest {
      let key = self.key(element.key, context, &path)
      let member = value(element.value, context, &path)
      shapes = shapes.flatMap { $0.setting(key, to: member) }
      if shapes.count > Flow.maximumPaths { shapes = [shapes.dropFirst().reduce(shapes[0]) { $0.joined(with: $1) }] }
    }
    return .oneOf(shapes)
  }

  /// A dictionary's key: a text, or the raw value of an enum that is used as one.
  func key(_ expression: ExprSyntax, _ context: EvaluationContext, _ path: inout Path) -> SourceValue {
    let key = value(expression, context, &path)
    return .oneOf(
      key.alternatives.map { key in
        if case .enumCase = key.shape { return rawValue(of: key, file: context.file) }
        return key
      })
  }
}

extension ExprSyntax {
  /// Whether it is a string without anything that is interpolated.
  fileprivate var isPlainText: Bool {
    self.as(StringLiteralExprSyntax.self)?.segments.allSatisfy { $0.is(StringSegmentSyntax.self) } == true
  }
}

extension SourceValue {
  /// A string that begins with this one.
  func concatenated(with other: SourceValue) -> SourceValue {
    .oneOf(
      alternatives.flatMap { left in
        other.alternatives.map { right -> SourceValue in
          let whole = SourceValue.joinedText(left.textParts + right.textParts)
          // Of a text that is put together, every form may be known: then no caller knows more than this place.
          return whole.knownText == nil ? whole.tainted(left.dependsOnCaller || right.dependsOnCaller) : whole
        }
      })
  }

  private static func joinedText(_ parts: [TextPart]) -> SourceValue {
    var joined: [TextPart] = []
    for part in parts {
      if case .known(let text) = part, case .known(let before)? = joined.last {
        joined[joined.count - 1] = .known(before + text)
      } else if case .known("") = part {
        continue
      } else {
        joined.append(part)
      }
    }
    if joined.isEmpty { return .text("") }
    if joined.count == 1, case .known(let text) = joined[0] { return .text(text) }
    return SourceValue(.text(joined))
  }

  private var textParts: [TextPart] {
    switch shape {
    case .literal(.string(let text)): [.known(text)]
    case .text(let parts): parts
    case .open(let reason): [.open(reason)]
    default: [.open("its text is not known")]
    }
  }

  /// The value as string interpolation writes it.
  func described(as excerpt: String) -> SourceValue {
    .oneOf(
      alternatives.map { value in
        switch value.shape {
        case .literal(.string), .text: value
        case .literal(.int(let number)): SourceValue.text(String(number)).tainted(by: value)
        case .literal(.bool(let flag)): SourceValue.text(String(flag)).tainted(by: value)
        default: SourceValue.open("`\(excerpt)` is any text", dependsOnCaller: value.dependsOnCaller)
        }
      })
  }

  /// A dictionary with one key more: one for each key that it can be.
  func setting(_ key: SourceValue, to member: SourceValue, isOptional: Bool = false) -> [SourceValue] {
    alternatives.flatMap { whole -> [SourceValue] in
      guard case .object(let object) = whole.shape else { return [whole] }
      return key.alternatives.map { key in
        var object = object
        if let text = key.knownText {
          let isThere = object.members[text]?.isOptional == false
          let before = object.members[text]
          object.members[text] = ObjectShape.Member(
            value: isOptional ? before.map { member.joined(with: $0.value) } ?? member : member,
            isOptional: isOptional && !isThere)
        } else {
          object.open = object.open ?? key.openReason("a key of it")
        }
        return SourceValue(.object(object), dependsOnCaller: whole.dependsOnCaller || key.dependsOnCaller)
      }
    }
  }

  /// A dictionary without a key.
  func removing(_ key: SourceValue) -> SourceValue {
    .oneOf(
      alternatives.map { whole in
        guard case .object(var object) = whole.shape else { return whole }
        let texts = key.alternatives.map(\.knownText)
        if texts.count == 1, let text = texts[0] {
          object.members[text] = nil
        } else {
          let isAny = texts.contains(nil)
          if isAny { object.open = object.open ?? "a key that is not known is taken away" }
          for name in object.members.keys where isAny || texts.contains(name) {
            object.members[name]?.isOptional = true
          }
        }
        return SourceValue(.object(object), dependsOnCaller: whole.dependsOnCaller || key.dependsOnCaller)
      })
  }

  /// Why a value is not known.
  func openReason(_ what: String) -> String {
    switch shape {
    case .open(let reason): "\(what): \(reason)"
    case .text(let parts):
      "\(what): "
        + (parts.compactMap { if case .open(let reason) = $0 { reason } else { nil } }.first ?? "it is put together")
    case .scalar(let kind): "\(what): any \(kind.rawValue)"
    default: "\(what): it is not known"
    }
  }
}
