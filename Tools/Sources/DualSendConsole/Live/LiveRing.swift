import DualSendCore

/// The newest entries, in the order of their last change; every operation but a search takes constant time.
struct LiveRing {
  private struct Node {
    var entry: LiveEntry
    var newer: Int32 = -1
    var older: Int32 = -1
  }

  private let capacity: Int
  private let maximumPayloadBytes: Int
  private var nodes: [Node] = []
  private var places: [EventID: Int32] = [:]
  private var newest: Int32 = -1
  private var oldest: Int32 = -1

  /// The sequence of the last change; 0 before the first.
  private(set) var sequence: Int64 = 0
  /// Up to which sequence changes are no longer all there: somebody who has seen less has missed some.
  private(set) var forgottenThrough: Int64 = 0
  /// How many bytes all payloads take.
  private(set) var payloadBytes = 0
  /// How many entries of each state are kept.
  private(set) var counts: [LiveEntry.State: Int] = [:]

  init(capacity: Int, maximumPayloadBytes: Int) {
    (self.capacity, self.maximumPayloadBytes) = (capacity, maximumPayloadBytes)
  }

  var count: Int { nodes.count }

  subscript(id: EventID) -> LiveEntry? {
    places[id].map { nodes[Int($0)].entry }
  }

  /// Keeps an entry as the newest one, in place of the one with its id, and numbers it. The oldest one makes room.
  mutating func put(_ entry: LiveEntry) {
    sequence += 1
    let place: Int32
    if let known = places[entry.id] {
      place = known
      unlink(place)
      forget(nodes[Int(place)].entry)
    } else if nodes.count < capacity {
      place = Int32(nodes.count)
      nodes.append(Node(entry: entry))
    } else {
      place = oldest
      let old = nodes[Int(place)].entry
      forgottenThrough = max(forgottenThrough, old.sequence)
      unlink(place)
      forget(old)
      places[old.id] = nil
    }
    places[entry.id] = place
    nodes[Int(place)].entry = entry
    nodes[Int(place)].entry.sequence = sequence
    payloadBytes += entry.payloadBytes
    counts[entry.state, default: 0] += 1
    linkAsNewest(place)
    if payloadBytes > maximumPayloadBytes { cutOldestPayloads() }
  }

  /// Changes every entry without giving it a new place; whoever follows changes has to start afresh.
  mutating func updateAll(_ change: (inout LiveEntry) -> Void) {
    if nodes.isEmpty { return }
    for index in nodes.indices {
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
    var place = newest
    while place >= 0 {
      guard body(nodes[Int(place)].entry) else { return }
      place = nodes[Int(place)].older
    }
  }

  private mutating func forget(_ entry: LiveEntry) {
    payloadBytes -= entry.payloadBytes
    counts[entry.state, default: 0] -= 1
  }

  private mutating func linkAsNewest(_ place: Int32) {
    (nodes[Int(place)].older, nodes[Int(place)].newer) = (newest, -1)
    if newest >= 0 { nodes[Int(newest)].newer = place }
    newest = place
    if oldest < 0 { oldest = place }
  }

  private mutating func unlink(_ place: Int32) {
    let (newer, older) = (nodes[Int(place)].newer, nodes[Int(place)].older)
    if newer >= 0 { nodes[Int(newer)].older = older } else { newest = older }
    if older >= 0 { nodes[Int(older)].newer = newer } else { oldest = newer }
  }

  /// Makes an eighth of the room for payloads free again, so that this is not done for every event.
  private mutating func cutOldestPayloads() {
    var place = oldest
    while place >= 0, payloadBytes > maximumPayloadBytes / 8 * 7 {
      payloadBytes -= nodes[Int(place)].entry.payloadBytes
      nodes[Int(place)].entry.old?.cut()
      nodes[Int(place)].entry.new?.cut()
      place = nodes[Int(place)].newer
    }
  }
}
