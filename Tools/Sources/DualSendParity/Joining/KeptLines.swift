import DualSendJSONLines

/// The ids of one partition, and the old lines without a new line yet.
///
/// A hash table with open addressing, at most half full.
final class KeptLines {
  /// The slot of an id in the table, whether taken or free.
  struct Slot {
    fileprivate let index: Int
    let isTaken: Bool
  }

  /// The role of a line among the lines with its id.
  enum Place {
    /// The first old line.
    case first
    /// The first new line of an id without an old line.
    case alone
    /// The first new line, with the old line of the id, valid until the next line is taken.
    case partner(LineRecord)
    /// Another line of a side that already has one.
    case repeated
  }

  private struct Entry {
    let key: TextHash
    /// The offset of the old line; -1 if there is none.
    let start: Int
    var hasNew: Bool
  }

  private let old = ByteArena(capacity: 1 << 20)
  private var entries: [Entry] = []
  /// Indices of ``entries``; -1 for a free slot.
  private var slots = [Int32](repeating: -1, count: 1 << 10)

  /// The approximate memory in bytes.
  var byteCount: Int { old.count + entries.count * MemoryLayout<Entry>.stride }

  func slot(of key: TextHash) -> Slot {
    var index = Int(truncatingIfNeeded: key.low) & (slots.count - 1)
    while slots[index] >= 0 {
      if entries[Int(slots[index])].key == key { return Slot(index: index, isTaken: true) }
      index = (index + 1) & (slots.count - 1)
    }
    return Slot(index: index, isTaken: false)
  }

  func take(_ record: LineRecord, at slot: Slot) -> Place {
    let isNew = record.header.side == .new
    guard slot.isTaken else {
      slots[slot.index] = Int32(truncatingIfNeeded: entries.count)
      entries.append(Entry(key: record.header.key, start: isNew ? -1 : old.count, hasNew: isNew))
      if !isNew { record.write(to: old) }
      if 2 * entries.count > slots.count { grow() }
      return isNew ? .alone : .first
    }
    let entry = Int(slots[slot.index])
    guard isNew, !entries[entry].hasNew, let partner = LineRecord(in: old.bytes, at: entries[entry].start) else {
      return .repeated
    }
    entries[entry].hasNew = true
    return .partner(partner)
  }

  /// Calls `body` with each old line without a new line.
  func forEachWaiting(_ body: (LineRecord) throws -> Void) rethrows {
    for entry in entries where !entry.hasNew {
      if let record = LineRecord(in: old.bytes, at: entry.start) { try body(record) }
    }
  }

  func removeAll() {
    old.removeAll()
    entries.removeAll(keepingCapacity: true)
    for index in slots.indices { slots[index] = -1 }
  }

  private func grow() {
    slots = [Int32](repeating: -1, count: 2 * slots.count)
    for (position, entry) in entries.enumerated() {
      slots[slot(of: entry.key).index] = Int32(truncatingIfNeeded: position)
    }
  }
}
