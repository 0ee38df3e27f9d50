import DualSendCore
import DualSendParity

/// The newest entries in the order of their last change. Every operation except a search takes constant time.
///
/// Entries whose other side is missing have a limit of their own, so that a busy stream does not evict them before their
/// deadline.
struct LiveEntryStore {
  private struct Node {
    var entry: LiveEntry
    var newer: Int32 = -1
    var older: Int32 = -1
  }

  /// A linked list in the order of the last change.
  private struct List {
    var newest: Int32 = -1
    var oldest: Int32 = -1
    var count = 0
  }

  private let capacity: Int
  private let maximumPayloadBytes: Int
  private let disk: SpillFile?
  private var nodes: [Node] = []
  /// The indices of unused nodes.
  private var free: [Int32] = []
  private var places: [EventID: Int32] = [:]
  /// Entries whose other side is missing.
  private var open = List()
  /// All other entries.
  private var closed = List()

  /// The sequence of the last change; 0 before the first.
  private(set) var sequence: Int64 = 0
  /// Changes up to this sequence may be incomplete: a page with an earlier sequence has a gap.
  private(set) var forgottenThrough: Int64 = 0
  /// The size of all payloads.
  private(set) var payloadBytes = 0
  /// The number of kept entries by state.
  private(set) var counts: [LiveEntry.State: Int] = [:]

  /// - Parameters:
  ///   - capacity: the largest number of entries whose other side is missing, and of other entries.
  ///   - disk: for payloads that memory does not hold; without it, they are lost.
  init(capacity: Int, maximumPayloadBytes: Int, disk: SpillFile?) {
    (self.capacity, self.maximumPayloadBytes, self.disk) = (capacity, maximumPayloadBytes, disk)
  }

  var count: Int { places.count }

  subscript(id: EventID) -> LiveEntry? {
    places[id].map { nodes[Int($0)].entry }
  }

  /// Stores an entry as the newest one, replaces the one with its id, and numbers it.
  ///
  /// - Returns: the evicted entry.
  mutating func put(_ entry: LiveEntry) -> LiveEntry? {
    sequence += 1
    let place: Int32
    if let known = places[entry.id] {
      place = known
      unlink(place)
      forget(nodes[Int(place)].entry)
      nodes[Int(place)].entry = entry
    } else if let unused = free.popLast() {
      place = unused
      nodes[Int(place)] = Node(entry: entry)
    } else {
      place = Int32(nodes.count)
      nodes.append(Node(entry: entry))
    }
    places[entry.id] = place
    nodes[Int(place)].entry.sequence = sequence
    payloadBytes += entry.payloadBytes
    counts[entry.state, default: 0] += 1
    linkAsNewest(place)
    let list = entry.isOpen ? open : closed
    let evicted = list.count > capacity ? evict(list.oldest) : nil
    if payloadBytes > maximumPayloadBytes { moveOldestPayloads() }
    return evicted
  }

  private mutating func evict(_ place: Int32) -> LiveEntry {
    let entry = nodes[Int(place)].entry
    forgottenThrough = max(forgottenThrough, entry.sequence)
    unlink(place)
    forget(entry)
    places[entry.id] = nil
    nodes[Int(place)].entry = LiveEntry(id: entry.id, time: 0)
    free.append(place)
    return entry
  }

  /// Changes every entry without changing its position. Pages that follow then have a gap.
  mutating func updateAll(_ change: (inout LiveEntry) -> Void) {
    if places.isEmpty { return }
    for place in places.values {
      let index = Int(place)
      forget(nodes[index].entry)
      change(&nodes[index].entry)
      payloadBytes += nodes[index].entry.payloadBytes
      counts[nodes[index].entry.state, default: 0] += 1
    }
    sequence += 1
    forgottenThrough = sequence
  }

  /// Calls the body with each entry, the newest first, until it returns `false`.
  func forEachFromNewest(_ body: (borrowing LiveEntry) -> Bool) {
    var (open, closed) = (open.newest, closed.newest)
    while open >= 0 || closed >= 0 {
      let isOpenNewer =
        open >= 0 && (closed < 0 || nodes[Int(open)].entry.sequence > nodes[Int(closed)].entry.sequence)
      let place = isOpenNewer ? open : closed
      guard body(nodes[Int(place)].entry) else { return }
      if isOpenNewer { open = nodes[Int(place)].older } else { closed = nodes[Int(place)].older }
    }
  }

  private mutating func forget(_ entry: LiveEntry) {
    payloadBytes -= entry.payloadBytes
    counts[entry.state, default: 0] -= 1
  }

  private mutating func linkAsNewest(_ place: Int32) {
    change(listOf: place) { list, nodes in
      (nodes[Int(place)].older, nodes[Int(place)].newer) = (list.newest, -1)
      if list.newest >= 0 { nodes[Int(list.newest)].newer = place }
      list.newest = place
      if list.oldest < 0 { list.oldest = place }
      list.count += 1
    }
  }

  private mutating func unlink(_ place: Int32) {
    change(listOf: place) { list, nodes in
      let (newer, older) = (nodes[Int(place)].newer, nodes[Int(place)].older)
      if newer >= 0 { nodes[Int(newer)].older = older } else { list.newest = older }
      if older >= 0 { nodes[Int(older)].newer = newer } else { list.oldest = newer }
      list.count -= 1
    }
  }

  private mutating func change(listOf place: Int32, _ body: (inout List, inout [Node]) -> Void) {
    if nodes[Int(place)].entry.isOpen { body(&open, &nodes) } else { body(&closed, &nodes) }
  }

  /// Moves an eighth of the payload limit to disk, so that this is not needed for every event. Payloads that may still be
  /// compared go last.
  private mutating func moveOldestPayloads() {
    for list in [closed, open] {
      var place = list.oldest
      while place >= 0, payloadBytes > maximumPayloadBytes / 8 * 7 {
        payloadBytes -= nodes[Int(place)].entry.payloadBytes
        nodes[Int(place)].entry.old?.move(to: disk)
        nodes[Int(place)].entry.new?.move(to: disk)
        place = nodes[Int(place)].newer
      }
    }
  }
}

/// The ids of evicted events, so that a late or repeated side does not count as another event.
struct EvictedEvents: Sendable {
  enum Event: Sendable {
    /// Both sides had arrived.
    case pair
    /// One side had arrived; how it was counted, and under which table.
    case unpaired(StreamSide, name: String, LivePayload?, CountedUnpaired?, table: Int)
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
