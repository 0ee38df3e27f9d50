import DualSendCore
import DualSendParity

/// The ids of evicted events, so that a late or repeated side does not count as another event.
struct EvictedEvents: Sendable {
  enum Event: Sendable {
    /// Both sides had arrived.
    case pair
    /// One side had arrived; how it was counted, and under which table.
    case lone(StreamSide, name: String, EventMembership?, table: Int)
  }

  private let limit: Int
  private var events: [EventID: Event] = [:]
  /// In the order of eviction, from `head` on.
  private var order: [EventID] = []
  private var head = 0

  init(limit: Int) {
    self.limit = limit
  }

  subscript(id: EventID) -> Event? { events[id] }

  /// Adds an event. Forgets the oldest one if there are too many.
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
