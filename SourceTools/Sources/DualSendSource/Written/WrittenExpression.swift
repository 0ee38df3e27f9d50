/// An expression as it can stand at a call site.
public struct WrittenExpression: Sendable {
  /// Something that the call site evaluates.
  public struct Use: Sendable, Hashable {
    /// Where it stands: what stands further on is evaluated later.
    public let order: Int
    /// Whether evaluating it may do more than read a value.
    public let isCall: Bool
    /// Whether it is evaluated whatever the conditions around it say.
    public var isCertain = true
  }

  /// `condition ? first : second`.
  public struct Choice: Sendable {
    /// The condition's text.
    public let condition: String
    /// What the condition evaluates.
    public let uses: [Use]
    /// What is chosen from: two.
    public let branches: [WrittenExpression]
  }

  /// The text; `nil` for a literal, which is ``value``.
  public let text: String?
  /// What it can be.
  public let value: SourceValue
  /// Of `String(n)`, where `n` is an integer: `n`.
  public var integer: String?
  /// Of a ternary: its parts.
  public var choice: Choice?
  /// What it evaluates, in order.
  public let uses: [Use]
}
