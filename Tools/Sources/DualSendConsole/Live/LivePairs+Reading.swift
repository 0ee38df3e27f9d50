import DualSendCore

/// The changes since a page last asked.
struct LiveChanges: Sendable {
  /// The changed entries, the oldest change first.
  let entries: [LiveEntry]
  /// The last change of all.
  let newest: Int64
  /// Whether some changes are no longer there, or too many to be told one by one: the page has to start afresh.
  let isGap: Bool
  let totals: EventValue
  let files: LiveFiles
}

extension LivePairs {
  /// The last change of all.
  var newest: Int64 { ring.sequence }

  /// The changes behind a sequence, the oldest ones if there are more than the limit.
  ///
  /// - Parameter backlog: more changes than that are a gap.
  func changes(after sequence: Int64, limit: Int, backlog: Int) -> LiveChanges {
    var entries: [LiveEntry] = []
    var isGap = sequence < ring.forgottenThrough || sequence > ring.sequence
    if !isGap {
      ring.forEachFromNewest { entry in
        guard entry.sequence > sequence else { return false }
        isGap = entries.count >= backlog
        if !isGap { entries.append(copy entry) }
        return !isGap
      }
    }
    return LiveChanges(
      entries: isGap ? [] : entries.suffix(limit).reversed(), newest: ring.sequence, isGap: isGap, totals: totals,
      files: files)
  }

  /// What `api/live` answers: the newest entries that a filter lets through.
  func page(_ filter: LiveFilter) -> EventValue {
    var entries: [LiveEntry] = []
    var (found, searched) = (0, 0)
    ring.forEachFromNewest { entry in
      searched += 1
      guard filter.matches(entry) else { return true }
      found += 1
      if entries.count <= filter.limit, entry.sequence < filter.before ?? .max { entries.append(copy entry) }
      return true
    }
    // One more than asked for tells whether there is another page.
    let isMore = entries.count > filter.limit
    if isMore { entries.removeLast() }
    return [
      "entries": .array(entries.map(\.json)), "found": .int(Int64(found)), "searched": .int(Int64(searched)),
      "next": isMore ? entries.last.map { .int($0.sequence) } ?? .null : .null, "newest": .int(ring.sequence),
    ]
  }

  /// What `api/state` says of the sources.
  var sourcesJSON: EventValue {
    .array(
      LiveSource.allCases.compactMap { source in
        sources[source]?.json(of: source)
      })
  }

  /// How many entries and how many bytes of payloads are kept, and how many pages follow.
  var holdings: EventValue {
    [
      "entries": .int(Int64(ring.count)), "payloadBytes": .int(Int64(ring.payloadBytes)),
      "streams": .int(Int64(followers.count)), "freeStreams": .int(Int64(followers.free)),
    ]
  }

  /// Old events that are kept, the newest first, in parts.
  ///
  /// - Parameter sequence: where the last part ended; `nil` for the first one.
  /// - Returns: a part, and where it ended; `nil` if there is no more.
  func oldEvents(
    before sequence: Int64?, limit: Int
  ) -> (events: [(name: String, parameters: [String: EventValue])], end: Int64?) {
    var events: [(name: String, parameters: [String: EventValue])] = []
    var (end, looked): (Int64?, Int) = (nil, 0)
    ring.forEachFromNewest { entry in
      guard entry.sequence < sequence ?? .max else { return true }
      guard looked < limit else { return false }
      looked += 1
      end = entry.sequence
      if let name = entry.oldName, let parameters = entry.old?.members { events.append((name, parameters)) }
      return true
    }
    return (events, end)
  }

  // MARK: Following

  func follow() -> (number: Int, news: AsyncStream<Void>)? { followers.open() }

  /// Whether another page can follow.
  var canBeFollowed: Bool { followers.free > 0 }

  func unfollow(_ number: Int) { followers.close(number) }

  /// Ends every stream.
  func endStreams() { followers.closeAll() }
}
