/// A customer's basket.
public struct Basket: Sendable, Hashable {
  /// A quantity of one item.
  public struct Line: Sendable, Hashable {
    public let item: Item
    public internal(set) var quantity: Int
  }

  public private(set) var lines: [Line] = []

  public init() {}

  public mutating func add(_ item: Item) {
    if let index = lines.firstIndex(where: { $0.item == item }) {
      lines[index].quantity += 1
    } else {
      lines.append(Line(item: item, quantity: 1))
    }
  }

  public var cents: Int {
    lines.reduce(0) { $0 + $1.item.cents * $1.quantity }
  }
}
