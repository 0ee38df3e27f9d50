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
    let order = lines.indices.sorted { isBefore(lines[$0].header, lines[$1].header) }
    var start = 0
    while start < order.count {
      let key = lines[order[start]].header.key
      var end = start
      var middle = start
      while end < order.count, lines[order[end]].header.key == key {
        if lines[order[end]].header.side == .old { middle = end + 1 }
        end += 1
      }
      try match(old: order[start..<middle], new: order[middle..<end], body)
      start = end
    }
  }

  private func isBefore(_ left: LineHeader, _ right: LineHeader) -> Bool {
    if left.key != right.key { return left.key < right.key }
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
