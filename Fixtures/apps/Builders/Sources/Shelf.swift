import EventKit

/// The shelf of books.
struct Shelf {
  let name: String
  var books: [String] = []

  /// What goes with every event of a shelf.
  private var common: [String: Any] { ["shelf": name, "count": books.count] }

  mutating func add(_ book: String) {
    books.append(book)
    EventClient.shared.submit(name: "shelf_add", parameters: common)
  }

  mutating func clear() {
    books = []
    EventClient.shared.submit(Event(name: "shelf_clear", parameters: common))
  }

  func sort(descending: Bool) {
    let builder = EventBuilder(descending ? "shelf_sort_down" : "shelf_sort_up")
    EventClient.shared.submit(builder.with("shelf", name).build())
  }

  func show() {
    EventClient.shared.submit(Event(name: "shelf_show", parameters: common, extra: ["grid": true]))
    EventClient.shared.submit(name: "shelf_seen")
  }

  func filter(_ filter: [String: Any]) {
    EventClient.shared.submit(Event(name: "shelf_filter", parameters: filter))
  }
}
