import DualSendCore

/// The changes since a page's last request.
struct LiveChanges: Sendable {
  /// The changed entries, oldest change first.
  let entries: [LiveEntry]
  /// The sequence of the last change.
  let newest: Int64
  /// Whether changes are missing, or too many to send one by one. The page must then reload all entries.
  let isGap: Bool
  let totals: EventValue
  let sources: EventValue
  let alarm: EventValue
  let files: LiveFiles
}

extension LiveComparison {
  /// The sequence of the last change.
  var newest: Int64 { store.sequence }

  /// The changes after a sequence, oldest first, up to the limit.
  ///
  /// - Parameter backlog: more changes than this are a gap.
  func changes(after sequence: Int64, limit: Int, backlog: Int) -> LiveChanges {
    var entries: [LiveEntry] = []
    var isGap = sequence < store.forgottenThrough || sequence > store.sequence
    if !isGap {
      store.forEachFromNewest { entry in
        guard entry.sequence > sequence else { return false }
        isGap = entries.count >= backlog
        if !isGap { entries.append(copy entry) }
        return !isGap
      }
    }
    return LiveChanges(
      entries: isGap ? [] : entries.suffix(limit).reversed(), newest: store.sequence, isGap: isGap, totals: totals,
      sources: sourcesJSON, alarm: banner, files: files)
  }

  /// The answer to `api/live`: the newest entries that match a filter.
  func page(_ filter: LiveFilter) -> EventValue {
    var entries: [LiveEntry] = []
    var (found, searched) = (0, 0)
    store.forEachFromNewest { entry in
      searched += 1
      guard filter.matches(entry) else { return true }
      found += 1
      if entries.count <= filter.limit, entry.sequence < filter.before ?? .max { entries.append(copy entry) }
      return true
    }
    // One extra entry shows whether there is another page.
    let isMore = entries.count > filter.limit
    if isMore { entries.removeLast() }
    return [
      "entries": .array(entries.map(\.json)), "found": .int(Int64(found)), "searched": .int(Int64(searched)),
      "next": isMore ? entries.last.map { .int($0.sequence) } ?? .null : .null, "newest": .int(store.sequence),
    ]
  }

  /// The sources in `api/state`.
  var sourcesJSON: EventValue { .array(LiveSource.allCases.compactMap { sources[$0]?.json(of: $0) }) }

  /// The counts of kept entries, bytes of payloads and followers.
  var holdings: EventValue {
    [
      "entries": .int(Int64(store.count)), "payloadBytes": .int(Int64(store.payloadBytes)),
      "streams": .int(Int64(followers.count)), "freeStreams": .int(Int64(followers.free)),
    ]
  }

  /// The kept old events in parts, newest first.
  ///
  /// - Parameter sequence: the end of the last part; `nil` for the first part.
  /// - Returns: a part, and its end; `nil` after the last part.
  func oldEvents(
    before sequence: Int64?, limit: Int
  ) -> (events: [(name: String, parameters: [String: EventValue])], end: Int64?) {
    var events: [(name: String, parameters: [String: EventValue])] = []
    var (end, looked): (Int64?, Int) = (nil, 0)
    store.forEachFromNewest { entry in
      guard entry.sequence < sequence ?? .max else { return true }
      guard looked < limit else { return false }
      looked += 1
      end = entry.sequence
      if let name = entry.oldName, let parameters = entry.old?.members(on: disk) {
        events.append((name, parameters))
      }
      return true
    }
    return (events, end)
  }

  // MARK: Following

  func follow() -> (number: Int, news: AsyncStream<Void>)? { followers.open() }

  /// Whether another page can follow.
  var canBeFollowed: Bool { followers.free > 0 }

  func unfollow(_ number: Int) { followers.close(number) }
}

/// The files in force, and the counts of their changes.
struct LiveFiles: Sendable, Hashable {
  enum File: String, Sendable, Hashable {
    case document = "rollout"
    case table
  }

  /// The revision of the document in force.
  var revision: Int64?
  /// How often each file changed or became unreadable.
  var changes: [File: Int] = [:]

  /// The data of the event about a change.
  func json(of file: File) -> EventValue {
    switch file {
    case .document: ["revision": revision.map { .int($0) } ?? .null]
    case .table: [:]
    }
  }
}

/// The pages that follow the live events. Each is only notified of changes, and fetches them at its own pace.
struct LiveFollowers: Sendable {
  let limit: Int
  private var signals: [Int: AsyncStream<Void>.Continuation] = [:]
  private var lastNumber = 0

  init(limit: Int) {
    self.limit = limit
  }

  var count: Int { signals.count }
  /// The number of additional followers allowed.
  var free: Int { max(0, limit - signals.count) }

  /// Adds a follower; `nil` if the limit is reached.
  mutating func open() -> (number: Int, news: AsyncStream<Void>)? {
    guard free > 0 else { return nil }
    let (news, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    lastNumber += 1
    signals[lastNumber] = signal
    return (lastNumber, news)
  }

  mutating func close(_ number: Int) {
    signals.removeValue(forKey: number)?.finish()
  }

  func notify() {
    for signal in signals.values { signal.yield() }
  }
}
