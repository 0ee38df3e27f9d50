import ArgumentParser
import DualSend
import DualSendCommandLine
import DualSendCore
import DualSendRollout

/// `dualsend simulate`: what real events would have done under a rollout.
struct SimulateVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "simulate",
    abstract: "Decide the events of a file as a rollout would have, and count, beside the exact expectation.",
    discussion: """
      Each line of the events file is {"name":…, "parameters":{…}, "unitID":…, "time":…}. Nothing is sent. What a line \
      says of itself as "appVersion", "platform" and "attributes" wins over the options.

      The document is \(DocumentInput.forms); the events are a file, or - for standard input.

      The expectation is worked out from the document for each event's rules: it is the share of all units that can \
      exist. The counted shares differ from it as the units of the file do.

      Rules that ask for events, versions, platforms or attributes that no line has are warnings: they may be misspelt.

      Recorded lines may carry what their app decided, as "decision" or as the parameter "dual_send". Then it is counted \
      how many of these events the document decides otherwise.

      With --policy, instead: how long a rollout that `guard` moves takes at a given traffic, and with --fault at which \
      step that fault is found, and what share of units has met it by then. Runs of the guard's own tests with drawn \
      counts, which look once an hour; the same for the same numbers.

      Exit status 1 if lines were malformed.
      """
  )

  @Argument(help: ArgumentHelp("The rollout document.", valueName: "file"))
  var rollout: DocumentInput?
  @Option(help: ArgumentHelp("The legacy events.", valueName: "file"))
  var events: String?
  @OptionGroup(title: "A policy") var forecast: ForecastOptions
  @OptionGroup var context: ContextOptions
  @OptionGroup var output: FormatOption

  var format: OutputFormat { output.format }

  init() {}

  func validate() throws {
    if forecast.policy == nil, rollout == nil || events == nil {
      throw ValidationError("a rollout document and --events are simulated, or a --policy")
    }
    if forecast.policy != nil, rollout != nil || events != nil {
      throw ValidationError("--policy is simulated without a document and events")
    }
    try DocumentInput.checkStandardInput([events == "-", rollout?.isStandardInput == true].count { $0 })
  }

  func run(on console: Console) async throws -> CommandStatus {
    if let policy = forecast.policy { try forecast.run(policy, format: format, on: console) }
    guard let rollout, let events else { return .clean }
    let bytes = try await rollout.bytes(on: console)
    let document = try RolloutDocument(reading: bytes, name: rollout.name)
    console.report(document.warnings, format: format)
    var simulation = Simulation(RolloutSnapshot(document, at: context.moment.milliseconds))
    var lines = try LegacyLines(events, input: console.input)
    var traffic = TrafficSample()
    let known = context.context(unitID: nil)
    try lines.forEach("simulate", on: console) { line in
      let context = line.context(besides: known)
      simulation.add(line.event.name, context: context, stamp: line.decision)
      traffic.add(line.event.name, context: context)
    }
    if format == .json {
      console.result(simulation.json)
    } else {
      console.result(simulation.text(columns: console.results.columns))
    }
    console.report(UnseenRules.findings(in: document, bytes, name: rollout.name, traffic), format: format)
    lines.reportMalformed(on: console, format: format)
    return lines.malformedCount == 0 ? .clean : .findings
  }
}
