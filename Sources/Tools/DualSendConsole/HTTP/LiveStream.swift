import DualSendCore

/// The live events as server-sent events.
///
/// There is no queue per page. A page gets the changes after its last sequence, as fast as its connection allows and at
/// most ten times a second. A page that is too slow gets a `gap` event instead.
struct LiveStream: Sendable {
  private static let interval = Duration.milliseconds(100)
  private static let pingInterval = Duration.seconds(10)
  private static let totalsInterval = Duration.milliseconds(500)
  private static let maximumEntries = 1000
  /// The largest number of changes sent one by one. A larger backlog is a gap.
  private static let maximumBacklog = 2000

  private let pairs: LiveComparison
  private let start: Int64?
  private let timeSource: TimeSource

  /// - Parameter sequence: the last change that the page has; `nil` for changes from now on.
  init(of pairs: LiveComparison, after sequence: Int64?, timeSource: TimeSource) {
    (self.pairs, start, self.timeSource) = (pairs, sequence, timeSource)
  }

  /// Writes changes until the page disconnects.
  func run(_ write: ([UInt8]) async throws -> Void) async throws {
    guard let (number, news) = await pairs.follow() else { return }
    do {
      try await send(news, write)
      await pairs.unfollow(number)
    } catch {
      await pairs.unfollow(number)
      throw error
    }
  }

  private func send(_ news: AsyncStream<Void>, _ write: ([UInt8]) async throws -> Void) async throws {
    var sent = Sent(sequence: await pairs.newest)
    if let start { sent.sequence = start }
    // The first bytes cause the server to send the head of the answer.
    try await write(Array("retry: 1000\n: open\n\n".utf8))
    var news = news.makeAsyncIterator()
    while true {
      let changes = await pairs.changes(
        after: sent.sequence, limit: Self.maximumEntries, backlog: Self.maximumBacklog)
      let part = sent.part(changes, now: timeSource.uptime())
      if !part.isEmpty {
        try await write(part)
        try await timeSource.sleep(Self.interval)
      } else {
        guard await news.next() != nil else { return }
        if await pairs.newest == sent.sequence { try await write(sent.keepAlive(now: timeSource.uptime())) }
      }
    }
  }

  /// The state that a page has received.
  private struct Sent {
    var sequence: Int64
    /// The counts that were sent last, by the name of their event.
    private var counts: [String: (values: EventValue, time: Duration)] = [:]
    private var ping: Duration?
    private var files: LiveFiles?

    init(sequence: Int64) {
      self.sequence = sequence
    }

    /// A comment, or from time to time a `ping` event: comments do not reach a page's script.
    mutating func keepAlive(now: Duration) -> [UInt8] {
      if let ping, now - ping < LiveStream.pingInterval { return Array(": alive\n\n".utf8) }
      ping = now
      return event("ping", [:])
    }

    /// The events for the page; empty if nothing changed.
    mutating func part(_ changes: LiveChanges, now: Duration) -> [UInt8] {
      var text: [UInt8] = []
      if changes.isGap {
        sequence = changes.newest
        text += event("gap", id: sequence, ["next": .int(sequence)])
      } else if let last = changes.entries.last {
        sequence = last.sequence
        text += event("entries", id: sequence, .array(changes.entries.map(\.json)))
      }
      for file in [LiveFiles.File.document, .table] where changes.files.changes[file] != files?.changes[file] {
        text += event(file.rawValue, changes.files.json(of: file))
      }
      files = changes.files
      for (name, values) in [("totals", changes.totals), ("sources", changes.sources), ("alarm", changes.alarm)]
      where Self.isDue(values, after: counts[name], now: now) {
        counts[name] = (values, now)
        text += event(name, values)
      }
      return text
    }

    /// Whether counts changed, and not just after those that were sent last.
    private static func isDue(_ values: EventValue, after sent: (values: EventValue, time: Duration)?, now: Duration)
      -> Bool
    {
      guard let sent else { return true }
      return sent.values != values && now - sent.time >= LiveStream.totalsInterval
    }

    private func event(_ name: String, id: Int64? = nil, _ data: EventValue) -> [UInt8] {
      let head = "event: \(name)\n" + (id.map { "id: \($0)\n" } ?? "")
      return Array((head + "data: ").utf8) + data.canonicalJSON + "\n\n".utf8
    }
  }
}
