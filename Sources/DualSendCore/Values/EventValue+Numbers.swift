extension EventValue {
  /// Creates an `int` if the number fits `Int64`, otherwise a `uint`.
  public init(_ number: UInt64) {
    self = Int64(exactly: number).map { .int($0) } ?? .uint(number)
  }

  /// Whether both are numbers with the same canonical text.
  ///
  /// A double of 2⁵³ or more equals only the integer as which it is written.
  public func isSameNumber(as other: EventValue) -> Bool {
    switch (self, other) {
    case (.int(let left), .int(let right)): left == right
    case (.uint(let left), .uint(let right)): left == right
    case (.double(let left), .double(let right)): left == right
    case (.int(let integer), .double(let double)), (.double(let double), .int(let integer)):
      double.magnitude <= 0x1p53 ? Int64(exactly: double) == integer : hasSameText(as: other)
    case (.uint, .double), (.double, .uint): hasSameText(as: other)
    default: false
    }
  }

  /// Whether the value is an integer or a double.
  public var isNumber: Bool {
    switch self {
    case .int, .uint, .double: true
    default: false
    }
  }

  private func hasSameText(as other: EventValue) -> Bool {
    canonicalJSON == other.canonicalJSON
  }
}
