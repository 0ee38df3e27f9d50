import DualSendCore

/// The newest entries, in the order of their last change; every operation but a search takes constant time.
///
/// Entries whose other side is missing are kept apart from the others, as many of each: in a busy stream they have as long to
/// find it as the limit in time says.
struct LiveRing {
  private struct Node {
    var entry: LiveEntry
    var newer: Int32 = -1
    var older: Int32 = -1
  }

  /// Entries that are linked in the order of their last change.
  private struct List {
    var newest: Int32 = -1
    var oldest: Int32 = -1
    var count = 0
  }

  private let capacity: Int
  private let maximumPayloadBytes: Int
  private var nodes: [Node] = []
  /// Places of nodes that are not in use.
  private var free: [Int32] = []
  private var places: [EventID: Int32] = [:]
  /// Entries whose other side is missing, …
  private var open = List()
  /// … and all others.
  private var closed = List()

  /// The sequence of the last change; 0 before the first.
  private(set) var sequence: Int64 = 0
  /// Up to which sequence changes are no longer all there: a page that has seen less has missed some.
  private(set) var forgottenThrough: Int64 = 0
  /// How many bytes all payloads take.
  private(set) var payloadBytes = 0
  /// How many entries of each state are kept.
  private(set) var counts: [LiveEntry.State: Int] = [:]

  /// - Parameter capacity: the most entries whose other side is missing, and the most others.
  init(capacity: Int, maximumPayloadBytes: Int) {
    (self.capacity, self.maximumPayloadBytes) = (capacity, maximumPayloadBytes)
  }

  var count: Int { places.count }

  subscript(id: EventID) -> LiveEntry? {
    places[id].map { nodes[Int($0)].entry }
  }

  /// Keeps an entry as the newest one, in place of the one with its id, and numbers it.
  ///
  /// - Returns: the entry that had to make room.
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
    if payloadBytes > maximumPayloadBytes { cutOldestPayloads() }
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

  /// Changes every entry without giving it a new place, or moving it to the others; a page that follows has to start
  /// afresh.
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

  /// Makes an eighth of the room for payloads free again, so that this is not done for every event. Those that something
  /// may still be compared with go last.
  private mutating func cutOldestPayloads() {
    for list in [closed, open] {
      var place = list.oldest
      while place >= 0, payloadBytes > maximumPayloadBytes / 8 * 7 {
        payloadBytes -= nodes[Int(place)].entry.payloadBytes
        nodes[Int(place)].entry.old?.cut()
        nodes[Int(place)].entry.new?.cut()
        place = nodes[Int(place)].newer
      }
    }
  }
}
