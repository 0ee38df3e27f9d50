import SwiftSyntax

/// What a dictionary's type makes of the numbers that are written in it: `1` among doubles is `1.0`.
enum NumberContext {
  /// Each number is of its own type.
  case any
  case integers
  case doubles
  /// The dictionary's members say its type.
  case inferred
  case other

  /// - Parameter type: a dictionary's, or that of an array of them; `nil` where none is written.
  init(_ type: TypeSyntax?) {
    guard let type else {
      self = .inferred
      return
    }
    var text = type.trimmedDescription.filter { $0 != " " }
    if text.hasPrefix("[["), text.hasSuffix("]]") { text = String(text.dropFirst().dropLast()) }
    switch text {
    case "[String:Any]", "[String:anySendable]": self = .any
    case "[String:Int]": self = .integers
    case "[String:Double]": self = .doubles
    default: self = .other
    }
  }

  /// Whether a number that is written in a dictionary stays what it is.
  ///
  /// - Parameter kinds: what the dictionary's values are, as far as that is known.
  func keeps(_ expression: ExprSyntax, among kinds: [SourceValue.ScalarKind?]) -> Bool {
    let numbers = Numbers(viewMode: .sourceAccurate)
    numbers.walk(expression)
    switch self {
    case .any: return true
    case .integers: return !numbers.hasFraction
    case .doubles: return !numbers.hasInteger
    case .inferred: return !numbers.hasInteger || kinds.allSatisfy { $0 != nil && $0 != .double }
    case .other: return !numbers.hasInteger && !numbers.hasFraction
    }
  }

  private final class Numbers: SyntaxVisitor {
    var hasInteger = false
    var hasFraction = false
    override func visitPost(_ node: IntegerLiteralExprSyntax) { hasInteger = true }
    override func visitPost(_ node: FloatLiteralExprSyntax) { hasFraction = true }
  }
}
