import EventKit

/// Reads a book.
final class Reader {
  private let client: EventClient
  private let book: String
  private var page = 1

  init(_ book: String, client: EventClient = .shared) {
    self.book = book
    self.client = client
  }

  func open(from shelf: String?) {
    client.submit(Event(name: "book_open", parameters: ["book": book, "shelf": shelf ?? "none"]))
  }

  func close() {
    client.submit(Event(name: "book_close"))
  }

  func turn(to page: Int) {
    defer { self.page = page }
    client.submit(.init(name: "page_turn", parameters: ["from": self.page, "to": page], extra: nil))
  }

  func highlight(_ text: String, color: String? = nil) {
    client.submit(
      Event(
        name: "highlight", parameters: ["length": text.count],
        extra: color.map { ["color": $0] }))
  }

  func note(_ text: String?) {
    let event = EventBuilder("note_add").with("book", book).with("length", text?.count).build()
    client.submit(event)
  }

  func look(up word: String, options: [String: Any]? = nil) {
    let all = ["word": word as Any].merging(options ?? [:]) { first, _ in first }
    client.submit(Event(name: "look_up", parameters: all))
  }

  func finish(rating: Int?) {
    let parameters: [String: Any] = ["book": book]
    let rated: [String: Any]? = rating.map { ["rating": $0] }
    client.submit(Event(name: "book_finish", parameters: parameters.merging(rated ?? [:]) { $1 }))
  }
}
