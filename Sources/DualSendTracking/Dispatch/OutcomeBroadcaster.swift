import DualSendCore
import Logging
import Metrics

/// Reports outcomes to the observer, the streams, the log and the metrics.
final class OutcomeBroadcaster: Sendable {
  /// The most outcomes that a stream buffers; the oldest are discarded first.
  static let streamBuffer = 1024

  private let observer: (@Sendable (TrackingOutcome) -> Void)?
  private let logger: Logger
  private let listeners = Multicast<TrackingOutcome>(bufferSize: streamBuffer)
  private let delivered = Counter(label: "dualsend.events.delivered")
  private let deadLettered = Counter(label: "dualsend.events.dead_lettered")
  private let retries = Counter(label: "dualsend.requests.retried")

  /// How long a line of one kind stands for all later ones of that kind.
  ///
  /// An app may log through this tracker. A line for each event would then make as many events, and drop real ones.
  static let lineInterval = Duration.seconds(10)

  private struct Line: Sendable {
    var loggedAt: Duration
    var suppressed = 0
    /// How many events the suppressed lines were about.
    var events = 0
  }

  /// The address of requests, for the log.
  let address = Locked("")
  private let uptime: @Sendable () -> Duration
  /// The last line of each kind.
  private let lines = Locked<[String: Line]>([:])

  init(observer: (@Sendable (TrackingOutcome) -> Void)?, logger: Logger, time: TimeSource) {
    self.observer = observer
    self.logger = logger
    uptime = time.uptime
  }

  /// Whether there is an observer or a stream.
  var hasListeners: Bool {
    observer != nil || listeners.hasListeners
  }

  func stream() -> AsyncStream<TrackingOutcome> {
    listeners.stream()
  }

  /// Reports delivered events. The references are made only for an observer or a stream.
  func delivered(_ events: [TrackingData]) {
    guard !events.isEmpty else { return }
    delivered.increment(by: events.count)
    if hasListeners { tell(.delivered(events.map(\.reference))) }
  }

  /// Reports stored events. The references are made only for an observer or a stream.
  func stored(_ events: [TrackingData]) {
    if !events.isEmpty, hasListeners { tell(.stored(events.map(\.reference))) }
  }

  /// Counts a request that is sent again in halves.
  func split() {
    retries.increment()
  }

  /// Logs a warning.
  func warn(_ text: String) {
    log(.warning, "warning", text)
  }

  /// Logs a line, unless one of its kind was logged just before. The next one says how many were not.
  private func log(_ level: Logger.Level, _ kind: String, events: Int = 0, _ text: @autoclosure () -> String) {
    let now = uptime()
    let former = lines.withLock { lines -> Line? in
      if let last = lines[kind], now - last.loggedAt < Self.lineInterval {
        lines[kind]?.suppressed += 1
        lines[kind]?.events += events
        return nil
      }
      defer { lines[kind] = Line(loggedAt: now) }
      return lines[kind] ?? Line(loggedAt: now)
    }
    guard let former else { return }
    // First, because a long line is cut at its end.
    let about = former.events > 0 ? " about \(former.events) events" : ""
    let more = former.suppressed == 0 ? "" : "(after \(former.suppressed) other lines of this kind\(about)) "
    logger.log(level: level, Self.line(more + text()))
  }

  func emit(_ outcome: TrackingOutcome) {
    record(outcome)
    tell(outcome)
  }

  private func tell(_ outcome: TrackingOutcome) {
    observer?(outcome)
    listeners.send(outcome)
  }

  private var to: String { address.current.isEmpty ? "" : " to \(address.current)" }

  private func record(_ outcome: TrackingOutcome) {
    switch outcome {
    case .stored, .delivered: break
    case .deadLettered(let event, let reason):
      deadLettered.increment()
      log(.warning, "deadLetter", "event \(event.name.printable()) was refused permanently: \(reason)")
    case .dropped(let reason, let count):
      Counter(label: "dualsend.events.dropped", dimensions: [("reason", reason.rawValue)]).increment(by: count)
      log(.warning, "dropped.\(reason)", events: count, "\(count) events dropped: \(reason)")
    case .valueLeftOut(let name, let issue):
      let place = issue.path.steps.isEmpty ? "all parameters" : "the parameter \(issue.path)"
      log(.warning, "valueLeftOut", "\(place) of \(name.printable()) left out: \(issue.reason)")
    case .retry(let reason, let delay):
      retries.increment()
      let next = delay.map { "in \($0)" } ?? "not by itself"
      log(.info, "retry", "request\(to) failed: \(reason); its events are kept, next attempt \(next)")
    case .paused(let reason): log(.warning, "paused", "delivery\(to) pauses, events are kept: \(reason)")
    case .storeFailed(let error):
      Counter(label: "dualsend.store.failures", dimensions: [("kind", error.kind.rawValue)]).increment()
      log(.error, "storeFailed", "\(error)")
    case .databaseSetAside:
      Counter(label: "dualsend.store.set_aside").increment()
      log(.error, "setAside", "a damaged event database was set aside")
    }
  }

  /// A log message, escaped: names, reasons and addresses come from outside.
  private static func line(_ text: String) -> Logger.Message {
    "\(text.hidingSecrets.printable(limit: PrintableText.lineLimit))"
  }
}

extension TrackingData {
  var reference: TrackingOutcome.EventReference {
    TrackingOutcome.EventReference(id: id, name: name)
  }
}
