/// An item of the shop.
public struct Item: Sendable, Hashable {
  public let id: Int
  public let name: String
  public let cents: Int
}

/// The shop's items.
public enum Catalogue {
  public static let items = [
    Item(id: 1, name: "teapot", cents: 2_400),
    Item(id: 2, name: "cup", cents: 650),
    Item(id: 3, name: "strainer", cents: 480),
  ]
}
