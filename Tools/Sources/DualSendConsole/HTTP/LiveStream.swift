import DualSendCore

/// The live events as server-sent events.
///
/// Nothing is queued for a page: it is told what changed behind the last sequence that it has, as often as its connection
/// takes it and at most ten times a second. One that is too slow for what is kept is told of a gap instead.
struct LiveStream: Sendable {
  private static let interval = Duration.milliseconds(100)
  private static let pingInterval = Duration.seconds(10)
  private static let totalsInterval = Duration.milliseconds(500)
  private static let maximumEntries = 1000
  /// How far behind a page may be to be told every change.
  private static let maximumBacklog = 2000

  private let pairs: LivePairs
  private let start: Int64?
  private let timeSource: TimeSource

  /// - Parameter sequence: the last change that the page has; `nil` for what comes from now on.
  init(of pairs: LivePairs, after sequence: Int64?, timeSource: TimeSource) {
    (self.pairs, start, self.timeSource) = (pairs, sequence, timeSource)
  }

  /// Writes what happens until the page has left.
  func run(_ write: ([UInt8]) async throws -> Void) async throws {
    guard let (number, news) = await pairs.follow() else { return }
    do {
      try await tell(news, write)
      await pairs.unfollow(number)
    } catch {
      await pairs.unfollow(number)
      throw error
    }
  }

  private func tell(_ news: AsyncStream<Void>, _ write: ([UInt8]) async throws -> Void) async throws {
    var told = Told(sequence: await pairs.newest)
    if let start { told.sequence = start }
    // The first bytes make the head of the answer leave.
    try await write(Array("retry: 1000\n: open\n\n".utf8))
    var news = news.makeAsyncIterator()
    while true {
      let changes = await pairs.changes(
        after: told.sequence, limit: Self.maximumEntries, backlog: Self.maximumBacklog)
      let part = told.part(changes, now: timeSource.uptime())
      if !part.isEmpty {
        try await write(part)
        try await timeSource.sleep(Self.interval)
      } else {
        guard await news.next() != nil else { return }
        if await pairs.newest == told.sequence { try await write(told.signOfLife(now: timeSource.uptime())) }
      }
    }
  }

  /// What a page has been told.
  private struct Told {
    var sequence: Int64
    private var totals: (values: EventValue, time: Duration)?
    private var ping: Duration?
    private var files: LiveFiles?

    init(sequence: Int64) {
      self.sequence = sequence
    }

    /// Comments do not reach a page's script, so that now and then an event has to.
    mutating func signOfLife(now: Duration) -> [UInt8] {
      if let ping, now - ping < LiveStream.pingInterval { return Array(": alive\n\n".utf8) }
      ping = now
      return event("ping", [:])
    }

    /// What is new; empty if nothing is.
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
      if totals.map({ $0.values != changes.totals && now - $0.time >= LiveStream.totalsInterval }) ?? true {
        totals = (changes.totals, now)
        text += event("totals", changes.totals)
      }
      return text
    }

    private func event(_ name: String, id: Int64? = nil, _ data: EventValue) -> [UInt8] {
      let head = "event: \(name)\n" + (id.map { "id: \($0)\n" } ?? "")
      return Array((head + "data: ").utf8) + data.canonicalJSON + "\n\n".utf8
    }
  }
}
