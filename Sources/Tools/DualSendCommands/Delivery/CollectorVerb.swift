import ArgumentParser
import DualSendCollector
import DualSendCommandLine
import DualSendCore
import DualSendDelivery
import Foundation

/// `dualsend collector`: runs the loopback collector until it is interrupted.
struct CollectorVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "collector",
    abstract: "Run a collector on 127.0.0.1 that also serves documents and injects faults.",
    discussion: """
      Prints its address once it listens, and its totals when SIGINT or SIGTERM ends it; with --format json, each is one \
      line with a JSON object. Each event is stored once, however often it arrives, and in every format as \
      {"eventId", "eventName", "eventTime", "payload"}, with "decision" if the event carries one.
      With --wire-format segment, amplitude, posthog, otlp or cloudevents, the collector accepts that vendor's requests at that \
      vendor's paths and answers as the vendor does, also when it refuses part of a batch. A request that does not follow \
      the vendor's documentation is refused with the position of the fault. Events of the format `sample` have no ids: \
      each delivery counts as new.
      Faults are tried in order; the first that applies decides the answer:

      \(CollectorFault.syntax)
      """.examples(
        "dualsend collector --port 8080 -o new.jsonl",
        "dualsend collector --config /rollout.json=rollout.json --fault '503*2'")
  )

  @Option(help: ArgumentHelp("The port; 0 chooses a free one.", valueName: "number"))
  var port: UInt16 = 0

  @Option(
    name: .output,
    help: ArgumentHelp("Append each unique event to this file as a JSON line.", valueName: "file"))
  var out: String?

  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp("A fault to inject; may be repeated.", valueName: "fault"),
    transform: { try CollectorFault($0) })
  var fault: [CollectorFault] = []

  @Option(help: ArgumentHelp("The seed of random faults.", valueName: "number"))
  var seed: UInt64 = 1

  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "Serve the current content of FILE at PATH, such as /rollout.json=rollout.json; may be repeated.",
      valueName: "path=file"),
    transform: { try ServedFile($0) })
  var config: [ServedFile] = []

  @Option(
    help: ArgumentHelp(
      "The most open connections; each app that listens to updates holds one. Further ones are closed at once.",
      valueName: "number"))
  var connections = 512

  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp("A further name for `Host`, such as that of a tunnel; may be repeated.", valueName: "name"))
  var allowHost: [String] = []

  @Flag(help: "Count ids without reading payloads, for benchmarks.")
  var idsOnly = false

  @OptionGroup var formats: CollectorFormatOption

  var format: OutputFormat { formats.results }

  func validate() throws {
    guard connections >= 1 else { throw ValidationError("--connections must be at least 1.") }
    let files = sysconf(Int32(_SC_OPEN_MAX))
    // 64 are for the command itself: standard streams, event loops, the output, the served documents.
    guard files >= 0, connections > files - 64 else { return }
    throw ValidationError(
      "--connections \(connections) needs more open files than the \(files) that this shell allows; raise the limit "
        + "with `ulimit -n \(connections + 64)`.")
  }

  func run(on terminal: Terminal) async throws -> CommandStatus {
    var configuration = CollectorConfiguration(
      format: formats.collector, port: port, output: out.map { URL(fileURLWithPath: $0) }, faults: fault, seed: seed,
      keptEvents: 0, readsPayloads: !idsOnly, maximumConnections: connections)
    configuration.hostNames = allowHost
    let server = CollectorServer(configuration)
    for served in config { await server.setDocument(file: try served.url(), at: served.path) }
    try await server.start()
    if let address = await server.url()?.absoluteString {
      if format == .json { terminal.result(["address": .string(address)]) } else { terminal.result(address) }
    }
    for served in config {
      if let url = await server.url(served.path) { terminal.note("\(url.absoluteString) serves \(served.file)") }
    }
    await Interruption.wait()
    let fault = await server.stop()
    print(await server.totals, on: terminal)
    if let fault, let out { throw CommandError("\(out) is not complete: \(fault.localizedDescription)") }
    return .clean
  }

  private func print(_ totals: CollectorTotals, on terminal: Terminal) {
    let counts: [(String, Int)] = [
      ("requests", totals.requests), ("bytes", totals.bytes), ("faults", totals.faults),
      ("accepted", totals.accepted), ("duplicates", totals.duplicates), ("conflicting", totals.conflicting),
      ("rejected", totals.rejected),
      ("malformed", totals.malformed),
    ]
    if format == .json {
      terminal.result(.object(Dictionary(uniqueKeysWithValues: counts.map { ($0.0, .int(Int64($0.1))) })))
    } else {
      var table = TextTable([.words("collected"), .numbers("count")])
      for (name, count) in counts { table.addRow([name, count.grouped]) }
      terminal.result(table.text)
    }
  }
}

/// A file that the collector serves, and its path.
struct ServedFile: Sendable, Hashable {
  let path: String
  let file: String

  /// Reads `PATH=FILE`.
  init(_ text: String) throws {
    let halves = text.split(separator: "=", maxSplits: 1)
    guard halves.count == 2, halves[0].first == "/" else {
      throw ValidationError("`\(text)` is not PATH=FILE with a path that starts with `/`")
    }
    (path, file) = (String(halves[0]), String(halves[1]))
  }

  /// The file, which must be readable when the collector starts; it may change or disappear later.
  func url() throws -> URL {
    _ = try InputFile.exactBytes(file)
    return URL(fileURLWithPath: file)
  }
}
