import DualSendConformance
import DualSendCore
import DualSendRemapping
import DualSendSource
import Foundation
import SwiftParser
import SwiftSyntax
import Testing

@Suite("The conformance suite holds for", .timeLimit(.minutes(5)))
struct ConformanceTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().appending(
      path: "Fixtures/conformance")

  @Test("rewritten calls, wherever `finish` rewrites a payload written as a literal")
  func rewritten() throws {
    var (count, refused) = (0, [String]())
    for example in try ConformanceSuite(Self.folder).cases(of: .remapping) {
      guard case .string(let name)? = example.question["event"],
        case .object(let payload)? = example.question["payload"], let written = EventValue.object(payload).swiftText
      else { continue }
      let table = try RemappingTable(reading: (example.question["table"] ?? .null).canonicalJSON)
      let call = "t.logEvents(name: \(EventValue.string(name).swiftText ?? ""), parameters: [\(written)])"
      let source = "func work(t: any EventLogger) {\n  \(call)\n}\n"
      let texts = SourceTexts([(path: "App.swift", text: source)])
      let plan: FinishPlan
      do {
        plan = try FinishPlan(
          texts, SourceInventory(texts, functions: LoggingFunction.known), table: table, tracker: "t", module: nil,
          functions: LoggingFunction.known, threads: 1)
      } catch {
        // What cannot be shown to be right is not changed.
        refused.append(example.id)
        continue
      }
      guard plan.rewrittenCount == 1, let changed = plan.changed["App.swift"] else { continue }
      guard let sent = LoggedEvent(Parser.parse(source: changed)) else {
        Issue.record("\(example.id): not a call with literals: \(changed)")
        continue
      }
      // What a call sends has a name and a payload; the other members are about the remapping.
      let answer = example.answer.merging(["name": .string(sent.name), "payload": .object(sent.payload)]) { $1 }
      let differences = example.differences(from: answer)
      #expect(differences.isEmpty, "\(example.id): \(differences) in \(changed)")
      count += 1
    }
    #expect(count >= 120)
    #expect(refused == [])
  }
}

/// What the first call of `sendLog` in a source sends, if its arguments are literals.
private struct LoggedEvent {
  var name = ""
  var payload: [String: EventValue] = [:]

  init?(_ source: SourceFileSyntax) {
    final class Finder: SyntaxVisitor {
      var call: FunctionCallExprSyntax?

      override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        call = call ?? node
        return .skipChildren
      }
    }
    let finder = Finder(viewMode: .sourceAccurate)
    finder.walk(source)
    guard let call = finder.call, call.calledExpression.trimmedDescription == "t.sendLog" else { return nil }
    for argument in call.arguments {
      switch (argument.label?.text, EventValue(literal: argument.expression)) {
      case ("name", .string(let text)?): name = text
      case ("payload", .object(let members)?): payload = members
      default: return nil
      }
    }
  }
}

extension EventValue {
  /// The value as a Swift literal; `nil` if it has none, such as `null`.
  fileprivate var swiftText: String? {
    switch self {
    case .bool(let flag): return "\(flag)"
    case .int(let number): return "\(number)"
    case .double(let number): return "\(number)"
    case .string(let text):
      let escaped = text.unicodeScalars.map { scalar in
        scalar.isASCII && scalar.value >= 32 && scalar != "\\" && scalar != "\""
          ? String(scalar) : "\\u{\(String(scalar.value, radix: 16))}"
      }
      return "\"" + escaped.joined() + "\""
    case .array(let values):
      let texts = values.compactMap(\.swiftText)
      return texts.count == values.count ? "[" + texts.joined(separator: ", ") + "] as [Any]" : nil
    case .object(let members):
      let texts = members.sorted { String.byteOrder($0.key, $1.key) }.compactMap { key, value in
        EventValue.string(key).swiftText.flatMap { key in value.swiftText.map { key + ": " + $0 } }
      }
      guard texts.count == members.count else { return nil }
      return texts.isEmpty ? "[:]" : "[" + texts.joined(separator: ", ") + "]"
    case .null, .uint, .date: return nil
    }
  }

  /// The value of a Swift literal; `nil` for any other expression.
  fileprivate init?(literal expression: ExprSyntax) {
    // Without operator folding, `a as T` is a sequence whose first element is the value.
    if let sequence = expression.as(SequenceExprSyntax.self), let first = sequence.elements.first {
      self.init(literal: first)
    } else if let text = expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue {
      self = .string(text)
    } else if let number = expression.as(IntegerLiteralExprSyntax.self)?.representedLiteralValue {
      self = .int(Int64(number))
    } else if let number = expression.as(FloatLiteralExprSyntax.self)?.representedLiteralValue {
      self = .double(number)
    } else if let flag = expression.as(BooleanLiteralExprSyntax.self) {
      self = .bool(flag.literal.text == "true")
    } else if expression.trimmedDescription == "\(Int64.min)" {
      self = .int(.min)
    } else if let prefix = expression.as(PrefixOperatorExprSyntax.self), prefix.operator.text == "-" {
      switch EventValue(literal: prefix.expression) {
      case .int(let number)?: self = .int(-number)
      case .double(let number)?: self = .double(-number)
      default: return nil
      }
    } else if let array = expression.as(ArrayExprSyntax.self) {
      let values = array.elements.compactMap { EventValue(literal: $0.expression) }
      guard values.count == array.elements.count else { return nil }
      self = .array(values)
    } else if let dictionary = expression.as(DictionaryExprSyntax.self) {
      var members: [String: EventValue] = [:]
      for element in dictionary.content.as(DictionaryElementListSyntax.self) ?? [] {
        guard case .string(let key)? = EventValue(literal: element.key),
          let value = EventValue(literal: element.value)
        else { return nil }
        members[key] = value
      }
      self = .object(members)
    } else {
      return nil
    }
  }
}
