/// Finds the pairs within one part of the lines.
struct LinePairing {
  /// What was found, by position in the part.
  enum Match {
    case pair(old: Int, new: Int)
    case alone(Int)
    /// Another line with the same id was there before.
    case duplicate(Int)
  }

  private let lines: [(header: LineHeader, start: Int)]
  private let rule: JoinRule

  init(_ lines: [(header: LineHeader, start: Int)], rule: JoinRule) {
    self.lines = lines
    self.rule = rule
  }

  /// Calls `body` with each match; every line takes part in exactly one.
  func forEachMatch(_ body: (Match) throws -> Void) rethrows {
    let keys = linesOfEachKey()
    var group: [Int] = []
    for last in keys.last {
      group.removeAll(keepingCapacity: true)
      var position: Int? = last
      while let line = position {
        group.append(line)
        position = keys.previous[line]
      }
      group.sort { isBefore(lines[$0].header, lines[$1].header) }
      let middle = group.firstIndex { lines[$0].header.side == .new } ?? group.count
      try match(old: group[..<middle], new: group[middle...], body)
    }
  }

  /// The last line of each key, and for each line the one of the same key before it.
  private func linesOfEachKey() -> (last: [Int], previous: [Int?]) {
    var last: [Int] = []
    var previous = [Int?](repeating: nil, count: lines.count)
    // A hash table by open addressing: half empty, so that a free slot is near; slots hold positions in `last`.
    var slots = [Int32](repeating: -1, count: 16)
    while slots.count < 2 * lines.count { slots += slots }
    for line in lines.indices {
      let key = lines[line].header.key
      var slot = Int(truncatingIfNeeded: key.low) & (slots.count - 1)
      while slots[slot] >= 0, lines[last[Int(slots[slot])]].header.key != key { slot = (slot + 1) & (slots.count - 1) }
      if slots[slot] < 0 {
        slots[slot] = Int32(last.count)
        last.append(line)
      } else {
        let known = Int(slots[slot])
        previous[line] = last[known]
        last[known] = line
      }
    }
    return (last, previous)
  }

  /// The order among lines of one key: old ones first, and then as they are to be matched.
  private func isBefore(_ left: LineHeader, _ right: LineHeader) -> Bool {
    if left.side != right.side { return left.side == .old }
    if case .order = rule, left.time != right.time { return left.time < right.time }
    return left.line < right.line
  }

  private func match(old: ArraySlice<Int>, new: ArraySlice<Int>, _ body: (Match) throws -> Void) rethrows {
    switch rule {
    case .eventID:
      for repeated in old.dropFirst() { try body(.duplicate(repeated)) }
      for repeated in new.dropFirst() { try body(.duplicate(repeated)) }
      switch (old.first, new.first) {
      case (let old?, let new?): try body(.pair(old: old, new: new))
      case (let one?, nil), (nil, let one?): try body(.alone(one))
      case (nil, nil): break
      }
    case .order(_, let window):
      try matchInOrder(old: old, new: new, window: window, body)
    }
  }

  private func matchInOrder(
    old: ArraySlice<Int>, new: ArraySlice<Int>, window: Int64?, _ body: (Match) throws -> Void
  ) rethrows {
    var (old, new) = (old, new)
    while let left = old.first, let right = new.first {
      let distance = lines[right].header.time.subtractingSaturating(lines[left].header.time)
      if let window, distance < -window {
        try body(.alone(new.removeFirst()))
      } else if let window, distance > window {
        try body(.alone(old.removeFirst()))
      } else {
        try body(.pair(old: old.removeFirst(), new: new.removeFirst()))
      }
    }
    for rest in old { try body(.alone(rest)) }
    for rest in new { try body(.alone(rest)) }
  }
}

extension Int64 {
  fileprivate func subtractingSaturating(_ other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (self < 0 ? .min : .max) : difference
  }
}
