import DualSendCore
import DualSendParity

/// Events that are no longer kept, so that a side that comes late, or again, is not taken for another event.
struct DepartedEvents: Sendable {
  enum Event: Sendable {
    /// Both sides had come.
    case pair
    /// One side had come; how it was counted, and under which table.
    case lone(StreamSide, name: String, EventMembership?, table: Int)
  }

  private let limit: Int
  private var events: [EventID: Event] = [:]
  /// In the order in which they left, from `head` on.
  private var order: [EventID] = []
  private var head = 0

  init(limit: Int) {
    self.limit = limit
  }

  subscript(id: EventID) -> Event? { events[id] }

  /// Notes an event; the one that left first is forgotten if there are too many.
  mutating func add(_ id: EventID, _ event: Event) {
    guard limit > 0 else { return }
    if events.updateValue(event, forKey: id) == nil { order.append(id) }
    guard events.count > limit else { return }
    events[order[head]] = nil
    head += 1
    if head > order.count / 2 {
      order.removeFirst(head)
      head = 0
    }
  }
}
