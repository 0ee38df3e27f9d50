import DualSendCommandLine
import DualSendCore
import DualSendRollout

/// Asks for a rollout as an app does, with the app's own fetcher, and says what came of it.
struct RolloutWatch: Sendable {
  /// What came of asking once.
  struct Attempt: Sendable, Hashable {
    /// What the fetcher made of the answer.
    enum Verdict: Sendable, Hashable {
      /// What is served is in force.
      case accepted
      /// Something is served, and apps keep what they have.
      case refused(RemoteConfigFetcher.Failure)
      /// Nothing usable was served.
      case unanswered(RemoteConfigFetcher.Failure)
      /// Nobody was asked: the server wants to be left alone, or was in trouble a moment ago.
      case postponed(Duration)
    }

    let verdict: Verdict
    /// The revision in force; `nil` while the app's own default decides.
    let revision: Int64?
    /// Where the rollout in force is from.
    let source: RemoteConfigFetcher.Status.Source
    /// What became of the stream of live updates; `nil` if there is none.
    var stream: Stream?

    /// How a stream of live updates stands.
    enum Stream: Sendable, Hashable {
      case opening
      case open
      /// It broke off or could not be opened; why.
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

  /// Asks once, and puts in force what may be.
  func ask() async -> Attempt {
    let result = await fetcher.fetch()
    await fetcher.activate()
    let status = fetcher.status
    return Attempt(verdict: Self.verdict(result), revision: status.revision, source: status.source)
  }

  /// Asks again and again until the task is cancelled, and hands over every attempt.
  ///
  /// - Parameter interval: the time between two attempts; longer where the server asks for it.
  func run(every interval: Duration, _ body: (Attempt) -> Void) async {
    while !Task.isCancelled {
      let attempt = await ask()
      // What a cancelled request found is not about the server.
      if Task.isCancelled { return }
      body(attempt)
      var wait = interval
      if case .postponed(let longer) = attempt.verdict { wait = max(wait, longer) }
      do { try await time.sleep(wait) } catch { return }
    }
  }

  /// Does what an app does that follows a stream, until the task is cancelled or the body returns `false`: it asks when
  /// the stream opens and when that says so, and every so often beside it.
  ///
  /// - Parameter interruption: why the stream broke off last, as the fetcher's report says.
  func follow(
    every interval: Duration, interruption: Locked<String?>, _ body: (Attempt) -> Bool
  ) async {
    await fetcher.start(every: interval)
    while !Task.isCancelled {
      let status = fetcher.status
      // What was fetched is put in force a moment later.
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
    case .tooLarge, .invalid, .replayed, .conflict, .unsigned, .brokenSignature, .wronglySigned: true
    }
  }
}
