import class Foundation.NSNull

extension EventValue {
  /// The value as an old logger expects it: Swift's native types, and `NSNull` for ``null``.
  public var plainValue: Any {
    switch self {
    case .null: NSNull()
    case .bool(let flag): flag
    case .int(let number): Int(number)
    case .uint(let number): number
    case .double(let number): number
    case .string(let text): text
    case .array(let elements): elements.map(\.plainValue)
    case .object(let members): members.mapValues(\.plainValue)
    case .date(let date): date
    }
  }
}
