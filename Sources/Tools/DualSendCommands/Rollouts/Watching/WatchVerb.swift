import ArgumentParser
import DualSendCommandLine
import DualSendCore
import DualSendParity
import DualSendRollout
import DualSendRolloutAnalysis
import Foundation

/// `dualsend watch`: shows how apps handle the served rollout document.
struct WatchVerb: FormattedVerb {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract:
      "Fetch a rollout document as an app does, and report the revision in force or why a newer one is refused.",
    discussion: """
      Runs the app's own fetcher, with entity tags, signatures (in the header X-Rollout-Signature, or beside the document \
      as .sig), proofs, and the rule that revisions only rise. With --state FILE, it starts from the saved state of an \
      earlier run, like an app at its next launch; without, like a new installation.
      With --stream, it also follows the server's live updates (text/event-stream), like an app with `streamURL`: it fetches \
      when the stream opens, when the stream announces an update, and at every --interval. With --once, it ends when the \
      stream is open, or could not be opened.
      Prints a line for each change until SIGINT or SIGTERM; with --once, one line. With --format json, each line is a JSON \
      object.
      With --fleet FILE, it also tells which revisions the fleet has: by the decisions of the last five minutes in the \
      collector's log.
      With --once --revision, a pipeline asks for the revision that it published: 1 if another one is served.
      The exit status depends on the last answer: 0 if the served document is in force, 1 if it is refused, 2 if there was \
      no answer or the stream is not open.
      """.examples("dualsend watch https://ops.example/rollout.json --once")
  )

  @Argument(help: ArgumentHelp("The document's http(s) address.", valueName: "url"))
  var address: DocumentAddress
  @Flag(help: "Fetch once.")
  var once = false
  @Option(
    help: ArgumentHelp("With --once: end with 1 unless this revision is in force, as published.", valueName: "number"))
  var revision: Int64?
  @Option(help: ArgumentHelp("The time between two requests.", valueName: "seconds"))
  var interval: Int = 10
  @Option(help: ArgumentHelp("The collector's log: tell which revisions its events name.", valueName: "file"))
  var fleet: String?
  @Option(help: ArgumentHelp("Follow the live updates at this address.", valueName: "url"))
  var stream: DocumentAddress?
  @Option(
    name: .customLong("public-key"), parsing: .singleValue,
    help: ArgumentHelp("A public key that must have signed the document; may be repeated.", valueName: "key"),
    transform: { try RolloutPublicKey.argument($0) })
  var publicKeys: [RolloutPublicKey] = []
  @Option(help: "The `audience` that the document must name, as for an app that expects it.")
  var audience: String?
  @Option(help: ArgumentHelp("Store the last good document in this file, as an app does.", valueName: "file"))
  var state: String?
  @OptionGroup var output: FormatOption

  func validate() throws {
    if revision != nil, !once || stream != nil {
      throw ValidationError("--revision goes with --once, without --stream")
    }
    if fleet != nil, stream != nil { throw ValidationError("--fleet is looked at with each request: without --stream") }
    if interval < 1 { throw ValidationError("--interval must be at least 1 second") }
  }

  func run(on terminal: Terminal) async throws -> CommandStatus {
    let interruption = Locked<String?>(nil)
    let watch = RolloutWatch(fetcher: fetcher(on: terminal, interruption))
    if once, stream == nil {
      let attempt = await watch.fetch()
      show(attempt, try revisionsOfFleet(at: watch.time), at: nil, on: terminal)
      guard let revision, attempt.status == .clean, attempt.revision != revision else { return attempt.status }
      terminal.report(
        [
          DocumentDiagnostic(
            .error, .otherRevision, "apps get revision \(attempt.revision ?? 0), not \(revision)", file: address.name,
            help: (attempt.revision ?? 0) < revision
              ? "purge the cache, or ask again in a moment" : "another published since: see `dualsend history`")
        ], format: format)
      return .findings
    }
    _ = try revisionsOfFleet(at: watch.time)
    let last = Locked<RolloutWatch.Attempt?>(nil)
    let lastFleet = Locked<FleetRevisions?>(nil)
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await Interruption.wait() }
      group.addTask {
        let note: (RolloutWatch.Attempt) -> Void = { attempt in
          // A postponed request brings no news.
          if case .postponed = attempt.verdict, last.current != nil { return }
          // A log that was rotated away for a moment is there at the next request.
          let fleet = (try? revisionsOfFleet(at: watch.time)) ?? lastFleet.current
          if last.current != attempt || lastFleet.current != fleet {
            show(attempt, fleet, at: once ? nil : watch.time.wallMilliseconds(), on: terminal)
          }
          last.withLock { $0 = attempt }
          lastFleet.withLock { $0 = fleet }
        }
        guard stream != nil else { return await watch.run(every: .seconds(interval), note) }
        await watch.follow(every: .seconds(interval), interruption: interruption) { attempt in
          if once, attempt.stream == .opening { return true }
          note(attempt)
          return !once
        }
      }
      await group.next()
      group.cancelAll()
    }
    return last.current?.status ?? .couldNotRun
  }

  private func fetcher(on terminal: Terminal, _ interruption: Locked<String?>) -> RemoteConfigFetcher {
    let options = RemoteConfigFetcher.Options(
      url: address.url, streamURL: stream?.url, headers: address.headers, minimumInterval: .zero,
      publicKeys: publicKeys, verifier: .ofTools, audience: audience)
    let storage = state.map { ByteStorage.file(URL(fileURLWithPath: $0)) } ?? .memory()
    let transport = TagTransport(inner: terminal.transport) { [format] in
      terminal.report(
        [
          DocumentDiagnostic(
            .warning, .noEntityTag,
            "the server gives no entity tag (`ETag`), so that each app transfers the document each time",
            help: "let the server send one, and answer `If-None-Match` with 304")
        ], format: format)
    }
    return RemoteConfigFetcher(
      options, storage: storage, transport: transport,
      report: { [state, format] problem in
        if case .failed = problem { return }
        if case .streamInterrupted = problem { return interruption.withLock { $0 = problem.description } }
        terminal.report([DocumentDiagnostic(.warning, .watchState, problem.description, file: state)], format: format)
      })
  }

  private func revisionsOfFleet(at time: TimeSource) throws -> FleetRevisions? {
    try fleet.map { try FleetRevisions($0, now: time.wallMilliseconds()) }
  }

  private func show(
    _ attempt: RolloutWatch.Attempt, _ fleet: FleetRevisions?, at time: Int64?, on terminal: Terminal
  ) {
    if format == .json {
      terminal.result(attempt.json(at: time, fleet))
    } else {
      let text = attempt.text + (fleet.map { "\nthe fleet: \($0)" } ?? "")
      terminal.result((time.map { Timestamp.text(milliseconds: $0) + "  " } ?? "") + text)
      terminal.report(attempt.findings, format: format)
    }
  }
}

/// Tells once of an answer with a document and without an entity tag.
private struct TagTransport: HTTPTransport {
  let inner: any HTTPTransport
  private let isTold = Locked(false)
  let tell: @Sendable () -> Void

  init(inner: any HTTPTransport, tell: @escaping @Sendable () -> Void) {
    (self.inner, self.tell) = (inner, tell)
  }

  func send(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse {
    let response = try await inner.send(request)
    let isFirst = isTold.withLock { isTold in
      guard !isTold, response.status == 200, response.header("ETag") == nil else { return false }
      isTold = true
      return true
    }
    if isFirst { tell() }
    return response
  }

  func stream(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportStream {
    try await inner.stream(request)
  }
}

extension DocumentDiagnostic.Code {
  /// A server answers without an entity tag.
  fileprivate static let noEntityTag = DocumentDiagnostic.Code(rawValue: "DS0419")
  /// The served document is not the one that was asked for.
  fileprivate static let otherRevision = DocumentDiagnostic.Code(rawValue: "DS0423")
}
