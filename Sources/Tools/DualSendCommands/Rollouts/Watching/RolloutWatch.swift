import DualSendCommandLine
import DualSendCore
import DualSendParity
import DualSendRollout

/// Fetches a rollout with the app's own fetcher, and reports the result.
struct RolloutWatch: Sendable {
  /// The result of one request.
  struct Attempt: Sendable, Hashable {
    /// The fetcher's verdict on the answer.
    enum Verdict: Sendable, Hashable {
      /// The served document is in force.
      case accepted
      /// Apps refuse the served document and keep theirs.
      case refused(RemoteConfigFetcher.Failure)
      /// Nothing usable was served.
      case unanswered(RemoteConfigFetcher.Failure)
      /// No request was made: the server asked to wait, or a recent request failed.
      case postponed(Duration)
    }

    let verdict: Verdict
    /// The revision in force; `nil` while the app's own default decides.
    let revision: Int64?
    /// The source of the rollout in force.
    let source: RemoteConfigFetcher.Status.Source
    /// The stream of live updates; `nil` if there is none.
    var stream: Stream?
    /// The state of a stream of live updates.
    enum Stream: Sendable, Hashable {
      case opening
      case open
      /// The stream broke off or could not be opened, for this reason.
      case interrupted(String)
    }

    var status: CommandStatus {
      if let stream, stream != .open { return .couldNotRun }
      return switch verdict {
      case .accepted: .clean
      case .refused: .findings
      case .unanswered, .postponed: .couldNotRun
      }
    }
  }

  let fetcher: RemoteConfigFetcher
  var time = TimeSource.system

  /// Fetches once, and activates a valid document.
  func fetch() async -> Attempt {
    let result = await fetcher.fetch()
    await fetcher.activate()
    let status = fetcher.status
    return Attempt(verdict: Self.verdict(result), revision: status.revision, source: status.source)
  }

  /// Fetches repeatedly until the task is cancelled, and passes each attempt to the body.
  ///
  /// - Parameter interval: the time between two attempts; longer if the server asks for it.
  func run(every interval: Duration, _ body: (Attempt) -> Void) async {
    while !Task.isCancelled {
      let attempt = await fetch()
      // The failure of a cancelled request is not the server's.
      if Task.isCancelled { return }
      body(attempt)
      var wait = interval
      if case .postponed(let longer) = attempt.verdict { wait = max(wait, longer) }
      do { try await time.sleep(wait) } catch { return }
    }
  }

  /// Follows a stream as an app does, until the task is cancelled or the body returns `false`: fetches when the stream
  /// opens, when it announces an update, and at every interval.
  ///
  /// - Parameter interruption: the last reason why the stream broke off, from the fetcher's report.
  func follow(
    every interval: Duration, interruption: Locked<String?>, _ body: (Attempt) -> Bool
  ) async {
    await fetcher.start(every: interval)
    while !Task.isCancelled {
      let status = fetcher.status
      // A fetched document is activated a moment later.
      if let result = status.lastResult, !(status.source != .fresh && Self.verdict(result) == .accepted) {
        var attempt = Attempt(verdict: Self.verdict(result), revision: status.revision, source: status.source)
        attempt.stream = status.isStreaming ? .open : interruption.current.map { .interrupted($0) } ?? .opening
        guard body(attempt) else { break }
      }
      do { try await time.sleep(Self.lookInterval) } catch { break }
    }
    await fetcher.stop()
  }

  private static let lookInterval = Duration.milliseconds(100)

  private static func verdict(_ result: RemoteConfigFetcher.FetchResult) -> Attempt.Verdict {
    switch result {
    case .fresh, .unchanged: .accepted
    case .throttled(let wait): .postponed(wait)
    case .failed(let failure): failure.isAboutTheDocument ? .refused(failure) : .unanswered(failure)
    }
  }
}

extension RemoteConfigFetcher.Failure {
  /// Whether a document was served, and refused.
  fileprivate var isAboutTheDocument: Bool {
    switch self {
    case .noAnswer(.responseTooLarge): true
    case .noAddress, .noAnswer, .status: false
    case .tooLarge, .invalid, .replayed, .conflict, .unsigned, .brokenSignature, .wronglySigned, .otherAudience,
      .noVerifier:
      true
    }
  }
}

// MARK: - Rendering

extension RolloutWatch.Attempt {
  /// One line: the revision in force, the reason why no newer one is, and the state of the stream.
  var text: String {
    let verdict =
      switch verdict {
      case .accepted: "\(subject) is in force, as served"
      case .refused(let failure): "\(subject) stays in force: the served document is refused: \(failure.words)"
      case .unanswered(let failure): "\(subject) stays in force: \(failure.words)"
      case .postponed(let wait): "\(subject) stays in force: the next request is due in \(wait.wholeSeconds) s"
      }
    return stream.map { "\(verdict); \($0.text)" } ?? verdict
  }

  /// The same as JSON.
  ///
  /// - Parameter time: the time of the attempt, in milliseconds since 1970-01-01T00:00:00Z; `nil` leaves it out.
  func json(at time: Int64?, _ fleet: FleetRevisions? = nil) -> EventValue {
    var members: [String: EventValue] = [
      "revision": revision.map { .int($0) } ?? .null, "source": .string(source.rawValue), "verdict": .string(word),
    ]
    if let time { members["time"] = .string(Timestamp.text(milliseconds: time)) }
    members["fleet"] = fleet?.json
    switch stream {
    case .opening: members["stream"] = "opening"
    case .open: members["stream"] = "open"
    case .interrupted(let reason):
      members["stream"] = "interrupted"
      members["streamReason"] = .string(reason)
    case nil: break
    }
    if let reason { members["reason"] = .string(reason) }
    if !findings.isEmpty { members["findings"] = DiagnosticRenderer.value(findings) }
    return .object(members)
  }

  /// The faults of the served document, if it was refused for them.
  var findings: [DocumentDiagnostic] {
    if case .refused(.invalid(let error)) = verdict { error.diagnostics } else { [] }
  }

  private var subject: String {
    revision.map { "revision \($0)" + (source == .cached ? ", from the saved state," : "") } ?? "the app's default"
  }

  private var word: String {
    switch verdict {
    case .accepted: "accepted"
    case .refused: "refused"
    case .unanswered: "unanswered"
    case .postponed: "postponed"
    }
  }

  private var reason: String? {
    switch verdict {
    case .accepted: nil
    case .refused(let failure), .unanswered(let failure): failure.words
    case .postponed(let wait): "the next request is due in \(wait.wholeSeconds) s"
    }
  }
}

extension RolloutWatch.Attempt.Stream {
  fileprivate var text: String {
    switch self {
    case .opening: "the stream is not open yet"
    case .open: "the stream is open"
    case .interrupted(let reason): reason
    }
  }
}

extension RemoteConfigFetcher.Failure {
  /// One line; counts the faults of a document that has several.
  fileprivate var words: String {
    if self == .wronglySigned {
      return description + ", or its bytes were changed, such as its line ends: `dualsend sign check` tells"
    }
    guard case .invalid(let error) = self else { return description }
    let errors = error.diagnostics.filter { $0.severity == .error }
    return errors.count == 1 ? errors[0].message : "the document has \(errors.count.counted("error"))"
  }
}

extension Duration {
  /// Seconds, rounded up.
  fileprivate var wholeSeconds: Int64 { components.seconds + (components.attoseconds > 0 ? 1 : 0) }
}
