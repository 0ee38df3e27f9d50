import DualSendCommandLine
import DualSendCore
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
    case .tooLarge, .invalid, .replayed, .conflict, .unsigned, .brokenSignature, .wronglySigned, .noVerifier: true
    }
  }
}
