/// What a person has.
struct Library {
  var metrics = Metrics.shared
  private var items: [String] = []

  mutating func add(_ item: String, to list: String? = nil) {
    items.append(item)
    metrics.logEvent("library_add", with: ["item": item, "list": list ?? "default"])
  }

  mutating func remove(_ item: String) {
    items.removeAll { $0 == item }
    metrics.logEvent("library_remove", with: ["item": item])
  }

  func open() {
    metrics.logEvent("library_open", with: ["count": items.count, "empty": items.isEmpty])
  }

  func sort(by order: Order) {
    metrics.logEvent("library_sort_" + order.rawValue)
  }

  func each(_ prefix: String) {
    for item in items { metrics.logEvent("\(prefix)_item", with: ["item": item]) }
  }

  enum Order: String { case name, date }

  init() {}
}

extension Metrics {
  /// For buttons everywhere.
  static func logTap(_ button: String) {
    logEvent("tap", with: ["button": button])
  }

  func logError(_ code: Int, in place: String) {
    logEvent("error", with: ["code": code, "place": place])
  }
}
