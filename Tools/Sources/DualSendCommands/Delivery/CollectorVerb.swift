import ArgumentParser
import DualSendCollector
import DualSendCommandLine
import DualSendCore
import Foundation

/// `dualsend collector`: the loopback collector until somebody ends it.
struct CollectorVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "collector",
    abstract: "Collect events on 127.0.0.1, and hand out documents, as well or as badly as told.",
    discussion: """
      Prints the address to send to once it listens, and its totals when it is ended by SIGINT or SIGTERM: two lines, \
      each a JSON object, with --format json. Each event is stored once, however often it comes, and always as \
      {"eventId", "eventName", "eventTime", "payload"}, with "decision" where the event carries it: what stands behind a \
      collector works with every format.

      With --format segment, amplitude, posthog, otlp or cloudevents it takes what that vendor takes where the vendor \
      takes it, and answers likewise: also its own words for a part that it refuses. A request that is not what the \
      vendor documents is refused with the place of the fault. Events of the format `sample` have no ids: each delivery \
      counts as new.

      Faults; several are asked in order, and the first one that strikes decides the answer:

      \(CollectorFault.syntax)
      """
  )

  @Option(help: ArgumentHelp("The port; 0 takes any that is free.", valueName: "number"))
  var port: UInt16 = 0

  @Option(help: ArgumentHelp("Append each unique event to this file as a JSON line.", valueName: "file"))
  var out: String?

  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp("Misbehave so; may be repeated.", valueName: "fault"),
    transform: { try CollectorFault($0) })
  var fault: [CollectorFault] = []

  @Option(help: ArgumentHelp("The seed of random faults.", valueName: "number"))
  var seed: UInt64 = 1

  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "Hand out FILE, as it is at each request, at PATH, such as /rollout.json=rollout.json; may be repeated.",
      valueName: "path=file"),
    transform: { try ServedFile($0) })
  var config: [ServedFile] = []

  @Flag(help: "Count ids without reading payloads, for benchmarks.")
  var idsOnly = false

  @OptionGroup var formats: CollectorFormatOption

  var format: OutputFormat { formats.results }

  init() {}

  func run(on console: Console) async throws -> CommandStatus {
    let server = CollectorServer(
      CollectorConfiguration(
        format: formats.collector, port: port, output: out.map { URL(fileURLWithPath: $0) }, faults: fault, seed: seed,
        keptEvents: 0, readsPayloads: !idsOnly))
    for served in config { await server.setDocument(file: try served.url(), at: served.path) }
    try await server.start()
    if let address = await server.url()?.absoluteString {
      if format == .json { console.result(["address": .string(address)]) } else { console.result(address) }
    }
    for served in config {
      if let url = await server.url(served.path) { console.note("\(url.absoluteString) hands out \(served.file)") }
    }
    await Interruption.wait()
    await server.stop()
    print(await server.totals, on: console)
    return .clean
  }

  private func print(_ totals: CollectorTotals, on console: Console) {
    let counts: [(String, Int)] = [
      ("requests", totals.requests), ("bytes", totals.bytes), ("faults", totals.faults),
      ("accepted", totals.accepted), ("duplicates", totals.duplicates), ("rejected", totals.rejected),
      ("malformed", totals.malformed),
    ]
    if format == .json {
      console.result(.object(Dictionary(uniqueKeysWithValues: counts.map { ($0.0, .int(Int64($0.1))) })))
    } else {
      var table = TextTable([.words("collected"), .numbers("count")])
      for (name, count) in counts { table.addRow([name, count.grouped]) }
      console.result(table.text)
    }
  }
}

/// A file that the collector hands out, and where.
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

  /// The file, which must be readable when the collector starts: later it may come and go.
  func url() throws -> URL {
    _ = try InputFile.exactBytes(file)
    return URL(fileURLWithPath: file)
  }
}
