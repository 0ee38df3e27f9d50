import DualSendCore
import SwiftSyntax

extension Resolver {
  /// The operators before one operand.
  func prefix(_ name: String, _ operand: Value) -> Value {
    switch (name, operand) {
    case ("-", .literal(.int(let number))): .literal(.int(-number))
    case ("-", .literal(.double(let number))): .literal(.double(-number))
    case ("-", .scalar(let type)): .scalar(type)
    case ("!", _): .scalar(.bool)
    default: .scalar(.unknown)
    }
  }

  /// The operators between two operands.
  func infix(
    _ infix: InfixOperatorExprSyntax, _ context: Context, _ state: PathState, _ expected: String?
  ) -> Value {
    guard let name = infix.operator.as(BinaryOperatorExprSyntax.self)?.operator.text else {
      return .unknown(context.form(infix))
    }
    if name == "??" || name == "+", isOwnOperator(name, of: Self.standardTypes) {
      return .unknown("the operator `\(name)` is the app's own")
    }
    switch name {
    case "??":
      let left = value(infix.leftOperand, context, state, expected: expected)
      if left.mayBeNil == false { return left }
      let wanted = expected ?? type(of: left, in: context)?.path
      let right = value(infix.rightOperand, context, state, expected: wanted)
      return left == .null ? right : .either([left.unwrapped, right])
    case "+":
      let left = value(infix.leftOperand, context, state, expected: expected)
      let right = value(infix.rightOperand, context, state, expected: expected)
      return sum(left, right) ?? .unknown(context.form(infix))
    case "==", "!=", "<", ">", "<=", ">=", "&&", "||", "===", "!==", "~=": return .scalar(.bool)
    case "-", "*", "/", "%":
      let sides = [infix.leftOperand, infix.rightOperand].map { value($0, context, state) }
      return sides.allSatisfy { [.scalar(.int), .literal(.int(0))].contains($0) } ? .scalar(.int) : .scalar(.unknown)
    default: return .unknown(context.form(infix))
    }
  }

  /// Two arrays or texts in one; `nil` for other values, and for too many texts.
  private func sum(_ left: Value, _ right: Value) -> Value? {
    if case .list(let one) = left, case .list(let other) = right { return .list(one + other) }
    let (lefts, rights) = (left.alternatives, right.alternatives)
    let isText = (lefts + rights).contains { one in
      switch one {
      case .text, .pattern, .scalar(.string): true
      default: false
      }
    }
    guard isText, lefts.count * rights.count <= max(Value.maximumTexts, lefts.count, rights.count) else { return nil }
    return .either(lefts.flatMap { one in rights.map { joined(one, $0) } })
  }
}
