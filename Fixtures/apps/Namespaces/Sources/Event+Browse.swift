/// Looking around.
extension Event {
  enum Browse {
    static let home = Event("browse_home")

    static var back: Event { Event("browse_back", ["gesture": false]) }

    static func category(_ name: String, position: Int) -> Event {
      Event("browse_category", ["category": name, "position": position])
    }

    static func product(_ product: Product, from list: List) -> Event {
      Event("browse_product", product.properties.merging(["list": list.rawValue]) { $1 })
    }

    static func scrolled(_ depth: Depth) -> Event {
      switch depth {
      case .top: Event("browse_scrolled_top")
      case .end: Event("browse_scrolled_end", ["end": true])
      }
    }

    enum List: String { case search, shelf }
    enum Depth { case top, end }
  }

  static func launched(cold: Bool) -> Event {
    Event("launched", ["cold": cold])
  }

  static let ended = Event("ended")
}

/// What is sold.
struct Product {
  let id: Int
  let title: String

  var properties: [String: Any] { ["product_id": id, "title": title] }
}
