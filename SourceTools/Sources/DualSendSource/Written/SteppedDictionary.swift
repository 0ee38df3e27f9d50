/// A local dictionary that is built step by step, and used for nothing but one call that logs it.
public struct SteppedDictionary: Sendable {
  /// A statement that sets a key, or takes it away.
  public struct Step: Sendable {
    /// The key.
    public let key: String
    /// The bytes of the key.
    public let keyRange: Range<Int>
    /// The new value; `nil` where the key goes.
    public let value: WrittenExpression?
    /// The bytes of the value.
    public let valueRange: Range<Int>
    /// The bytes of the statement, up to the next one or the end of its block.
    public let statement: Range<Int>
    /// Whether the statement can go without leaving an empty block.
    public let canGo: Bool
  }

  /// What the dictionary begins with.
  public let initial: LiteralCall.Value
  /// The bytes of that.
  public let initialRange: Range<Int>
  /// How far its line is indented.
  public let indentation: Int
  /// What the initial value evaluates, in order.
  public let initialUses: [WrittenExpression.Use]
  /// Whether the dictionary says itself that it holds any value.
  public let isTyped: Bool
  /// In the order of the text.
  public let steps: [Step]
  /// The variable.
  public let name: String
}
