import DualSendCore

/// The deadlines of waiting events. All events wait equally long, so this is a first-in, first-out queue.
struct LiveDeadlines: Sendable {
  private var list: [(id: EventID, due: Duration)] = []
  private var head = 0

  var count: Int { list.count - head }

  mutating func add(_ id: EventID, due: Duration) {
    list.append((id, due))
  }

  /// The next event whose deadline has passed.
  mutating func next(at now: Duration) -> EventID? {
    guard head < list.count, list[head].due <= now else { return nil }
    defer {
      head += 1
      if head > 1024, head > list.count / 2 {
        list.removeFirst(head)
        head = 0
      }
    }
    return list[head].id
  }

  /// Removes events that no longer wait if there are more than a limit.
  mutating func compact(limit: Int, isWaiting: (EventID) -> Bool) {
    guard count > limit else { return }
    list = list[head...].filter { isWaiting($0.id) }
    head = 0
  }
}
