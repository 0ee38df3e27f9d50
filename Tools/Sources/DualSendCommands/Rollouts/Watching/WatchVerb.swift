import ArgumentParser
import DualSendCommandLine
import DualSendCore
import DualSendRollout
import Foundation

/// `dualsend watch`: what apps make of the rollout document that is served.
struct WatchVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Ask for a rollout document as an app does, and say which revision is in force and why a newer is not.",
    discussion: """
      Runs the app's own fetcher: entity tags, signatures (in the header X-Rollout-Signature, or beside the document as \
      .sig), proofs, and the rule that no revision falls. With --state FILE it starts with what an earlier run has seen, \
      as an app does that is launched again; without, like a new installation.

      With --stream it follows the server's live updates too (text/event-stream), as an app does with `streamURL`: it asks \
      when the stream opens and when that says so, besides every --interval. With --once it ends when the stream is open, \
      or could not be opened.

      Prints a line when something changes, until it is ended by SIGINT or SIGTERM; with --once, one line. With --format \
      json each line is a JSON object.

      Exit status by the last answer: 0 if what is served is in force, 1 if it is refused, 2 if there was none, or the \
      stream is not open.
      """
  )

  @Argument(help: ArgumentHelp("The document's http(s) address.", valueName: "url"))
  var address: DocumentAddress
  @Flag(help: "Ask once.")
  var once = false
  @Option(help: ArgumentHelp("Ask every so many seconds.", valueName: "seconds"))
  var interval: Int = 10
  @Option(help: ArgumentHelp("Follow the live updates at this address.", valueName: "url"))
  var stream: DocumentAddress?
  @Option(
    name: .customLong("public-key"), parsing: .singleValue,
    help: ArgumentHelp("A public key that documents must be signed for; may be repeated.", valueName: "key"),
    transform: { try RolloutPublicKey.argument($0) })
  var publicKeys: [RolloutPublicKey] = []
  @Option(help: ArgumentHelp("Keep the last good document in this file, as an app does.", valueName: "file"))
  var state: String?
  @OptionGroup var output: FormatOption

  var format: OutputFormat { output.format }

  init() {}

  func validate() throws {
    if interval < 1 { throw ValidationError("--interval is at least 1 second") }
  }

  func run(on console: Console) async throws -> CommandStatus {
    let interruption = Locked<String?>(nil)
    let watch = RolloutWatch(fetcher: fetcher(on: console, interruption))
    if once, stream == nil {
      let attempt = await watch.ask()
      show(attempt, at: nil, on: console)
      return attempt.status
    }
    let last = Locked<RolloutWatch.Attempt?>(nil)
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await Interruption.wait() }
      group.addTask {
        let note: (RolloutWatch.Attempt) -> Void = { attempt in
          // A server that is left alone for a while has not changed its mind.
          if case .postponed = attempt.verdict, last.current != nil { return }
          if last.current != attempt { show(attempt, at: once ? nil : watch.time.wallMilliseconds(), on: console) }
          last.withLock { $0 = attempt }
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

  private func fetcher(on console: Console, _ interruption: Locked<String?>) -> RemoteConfigFetcher {
    let options = RemoteConfigFetcher.Options(
      url: address.url, streamURL: stream?.url, headers: address.headers, minimumInterval: .zero, publicKeys: publicKeys
    )
    let storage = state.map { ByteStorage.file(URL(fileURLWithPath: $0)) } ?? .memory()
    return RemoteConfigFetcher(
      options, storage: storage, transport: console.transport,
      report: { [state, format] problem in
        if case .failed = problem { return }
        if case .streamInterrupted = problem { return interruption.withLock { $0 = problem.description } }
        console.report([DocumentDiagnostic(.warning, .watchState, problem.description, file: state)], format: format)
      })
  }

  private func show(_ attempt: RolloutWatch.Attempt, at time: Int64?, on console: Console) {
    if format == .json {
      console.result(attempt.json(at: time))
    } else {
      console.result((time.map { Timestamp.text(milliseconds: $0) + "  " } ?? "") + attempt.text)
      console.report(attempt.findings, format: format)
    }
  }
}
