import DualSendCodeGeneration
import DualSendCore

/// Values as Swift writes them in a payload.
enum SwiftText {
  static func literal(_ value: EventValue) -> String {
    switch value {
    case .null: "EventValue.null"
    case .bool(let flag): "\(flag)"
    case .int(let number): "\(number)"
    case .uint(let number): "UInt64(\(number))"
    case .double(let number):
      number == number.rounded() && number.magnitude < 1e15 ? "\(Int64(number)).0" : "\(number)"
    case .string(let text): SwiftLiteral.string(text)
    case .date: "EventValue" + SwiftLiteral.eventValue(value)
    case .array(let elements):
      "[" + elements.map { literal($0) }.joined(separator: ", ") + "] as [any Sendable]"
    case .object(let members):
      members.isEmpty
        ? "[:] as [String: any Sendable]"
        : "["
          + members.sorted { String.byteOrder($0.key, $1.key) }
          .map { SwiftLiteral.string($0.key) + ": " + literal($0.value) }.joined(separator: ", ")
          + "] as [String: any Sendable]"
    }
  }
}
