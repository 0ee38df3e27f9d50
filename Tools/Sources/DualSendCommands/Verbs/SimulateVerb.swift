import ArgumentParser
import DualSend
@_spi(Tools) import DualSendCore
@_spi(Tools) import DualSendRollout

/// `dualsend simulate`: what real events would have done under a rollout.
struct SimulateVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "simulate",
    abstract: "Decide the events of a file as a rollout would have, and count, beside the exact expectation.",
    discussion: """
      Each line of the events file is {"name":…, "parameters":{…}, "unitID":…, "time":…}. Nothing is sent.

      The expectation is worked out from the document for each event's rules: it is the share of all units that can \
      exist. The counted shares differ from it as the units of the file do.

      Exit status 1 if lines were malformed.
      """
  )

  @Argument(help: ArgumentHelp("The rollout document.", valueName: "file"))
  var rollout: String
  @Option(help: ArgumentHelp("The legacy events.", valueName: "file"))
  var events: String
  @OptionGroup var context: ContextOptions
  @OptionGroup var output: FormatOption

  var format: OutputFormat { output.format }

  init() {}

  func run(on console: Console) async throws -> CommandStatus {
    let document = try RolloutDocument(reading: try InputFile.bytes(rollout), name: rollout)
    console.report(document.warnings, format: format)
    var simulation = Simulation(RolloutSnapshot(document, at: context.moment.milliseconds))
    var lines = try LegacyLines(events)
    var context = context.context(unitID: nil)
    try lines.forEach("simulate", on: console) { line in
      context.unitID = line.event.unitID
      simulation.add(line.event.name, context: context)
    }
    if format == .json {
      console.result(simulation.json)
    } else {
      console.result(simulation.text(columns: console.results.columns))
    }
    lines.reportMalformed(on: console, format: format)
    return lines.malformedCount == 0 ? .clean : .findings
  }
}
