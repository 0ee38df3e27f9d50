import DualSendCore
import FlyingSocks

/// The live events as server-sent events.
///
/// Nothing is queued for a page: it is told what changed behind the last sequence that it has, as often as its connection
/// takes it and at most ten times a second. One that is too slow for what is kept is told of a gap instead.
struct LiveStreamBody: AsyncBufferedSequence {
  typealias Element = UInt8

  /// Leaves the live events when nothing reads the stream any more.
  private final class Ticket: Sendable {
    let pairs: LivePairs
    let number: Int

    init(_ pairs: LivePairs, _ number: Int) {
      (self.pairs, self.number) = (pairs, number)
    }

    deinit {
      Task { [pairs, number] in await pairs.unfollow(number) }
    }
  }

  private static let interval = Duration.milliseconds(100)
  private static let pingInterval = Duration.seconds(10)
  private static let totalsInterval = Duration.milliseconds(500)
  private static let maximumEntries = 1000
  /// How far behind a page may be to be told every change.
  private static let maximumBacklog = 2000

  private let pairs: LivePairs
  private let sequence: Int64
  let news: AsyncStream<Void>
  private let ticket: Ticket
  private let timeSource: TimeSource

  /// - Parameter sequence: the last change that the page has; `nil` for what comes from now on.
  init(of pairs: LivePairs, after sequence: Int64?, timeSource: TimeSource) async {
    let (number, news) = await pairs.follow()
    self.pairs = pairs
    self.news = news
    self.timeSource = timeSource
    ticket = Ticket(pairs, number)
    if let sequence {
      self.sequence = sequence
    } else {
      self.sequence = await pairs.newest
    }
  }

  func makeAsyncIterator() -> Iterator {
    Iterator(body: self)
  }

  struct Iterator: AsyncBufferedIteratorProtocol {
    private let body: LiveStreamBody
    private var news: AsyncStream<Void>.Iterator
    private var sequence: Int64
    private var rest: ArraySlice<UInt8>
    private var lastSent: Duration?
    private var lastTotals: (values: EventValue, sent: Duration)?
    private var lastPing: Duration?
    private var revision: Int64?

    fileprivate init(body: LiveStreamBody) {
      self.body = body
      news = body.news.makeAsyncIterator()
      sequence = body.sequence
      // The first bytes make the head of the answer leave.
      rest = Array("retry: 1000\n: open\n\n".utf8)[...]
    }

    mutating func next() async throws -> UInt8? {
      try await nextBuffer(suggested: 1)?.first
    }

    mutating func nextBuffer(suggested count: Int) async throws -> ArraySlice<UInt8>? {
      if rest.isEmpty {
        guard let part = try await nextPart() else { return nil }
        rest = part[...]
      }
      let buffer = rest.prefix(count > 0 ? count : 1)
      rest = rest.dropFirst(buffer.count)
      return buffer
    }

    private mutating func nextPart() async throws -> [UInt8]? {
      while true {
        if let lastSent {
          let wait = LiveStreamBody.interval - (body.timeSource.uptime() - lastSent)
          if wait > .zero { try await body.timeSource.sleep(wait) }
        }
        let changes = await body.pairs.changes(
          after: sequence, limit: LiveStreamBody.maximumEntries, backlog: LiveStreamBody.maximumBacklog)
        let part = part(changes)
        if !part.isEmpty {
          lastSent = body.timeSource.uptime()
          return part
        }
        guard await news.next() != nil else { return nil }
        let isNews = await body.pairs.newest != sequence
        if !isNews { return signOfLife() }
      }
    }

    /// Comments do not reach a page's script, so that now and then an event has to.
    private mutating func signOfLife() -> [UInt8] {
      let now = body.timeSource.uptime()
      if let lastPing, now - lastPing < LiveStreamBody.pingInterval { return Array(": alive\n\n".utf8) }
      lastPing = now
      return event("ping", [:])
    }

    /// What is new; empty if nothing is.
    private mutating func part(_ changes: LiveChanges) -> [UInt8] {
      var text: [UInt8] = []
      if changes.isGap {
        sequence = changes.newest
        text += event("gap", id: sequence, ["next": .int(sequence)])
      } else if let last = changes.entries.last {
        sequence = last.sequence
        text += event("entries", id: sequence, .array(changes.entries.map(\.json)))
      }
      if let newRevision = changes.revision, newRevision != revision {
        revision = newRevision
        text += event("rollout", ["revision": .int(newRevision)])
      }
      let now = body.timeSource.uptime()
      if lastTotals.map({ $0.values != changes.totals && now - $0.sent >= LiveStreamBody.totalsInterval }) ?? true {
        lastTotals = (changes.totals, now)
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
