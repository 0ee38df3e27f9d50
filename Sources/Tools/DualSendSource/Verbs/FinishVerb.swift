import ArgumentParser
import DualSendCommandLine
import DualSendCore
import DualSendRemapping

/// `dualsend rewrite finish`: replaces calls of the old logger with calls of the new tracker.
struct FinishVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "finish",
    abstract: "Put the new names and keys in place of the old ones, and the tracker in place of the old logger.",
    discussion: """
      Prints a unified diff; --write changes the files as well. Only a call whose event is exact (see `dualsend \
      inventory`) changes. Its name and its keys change where they are literals in the call, and as raw values of an enum \
      whose every use is a log call, once for all calls that share it. A call of logEvents(name:parameters:) becomes one \
      of the tracker's sendLog(name:payload:), and so does the one of a function that hands on what it is called with, if \
      all its calls are renamed; a team's own function (--calls) keeps its calls. Nothing else changes.

      Keys that the table moves, drops, converts or adds, constants and other texts that code elsewhere may use are left \
      to a person: each such call is listed with what to write.

      Before anything is written, the result is read again: its inventory must be the inventory of before through the \
      table. Calls of which that cannot be shown stay. It is not compiled: do that before you merge.

      Exit status 1 if calls of the old logger are left.
      """.examples(
        "dualsend rewrite finish --remap remapping.json \\\n      --tracker Telemetry.tracker Sources",
        "dualsend rewrite finish --remap remapping.json \\\n      --tracker Telemetry.tracker Sources --write")
  )

  @OptionGroup var sources: SourceInput
  @Option(help: ArgumentHelp("The remapping table.", valueName: "table"))
  var remap: String
  @Option(help: ArgumentHelp("The expression that reaches the new tracker.", valueName: "expression"))
  var tracker = "tracker"
  @Option(
    name: .customLong("import"),
    help: ArgumentHelp("The module that files import in which calls become the tracker's.", valueName: "module"))
  var module: String?
  @Flag(help: "Change the files.")
  var write = false
  @Option(help: ArgumentHelp("The most calls that are listed as left; 0 for all of them.", valueName: "lines"))
  var limit = 100

  init() {}

  func validate() throws {
    if limit < 0 { throw ValidationError("--limit is a number of lines, or 0") }
    if !SwiftCall.isCall(tracker + ".f(0)") {
      throw ValidationError("--tracker is an expression that reaches the tracker, such as 'Telemetry.tracker'")
    }
  }

  func run(on terminal: Terminal) async throws -> CommandStatus {
    let table = try RemappingTable(reading: InputFile.bytes(remap), name: remap)
    terminal.report(table.warnings)
    let functions = try sources.functions()
    // Reads the files once, and changes these texts, so that a file saved in the meantime is detected.
    let texts = try sources.texts(on: terminal).kept()
    let found = sources.inventory(of: texts, on: terminal, functions: functions)
    terminal.report(found.findings)
    let plan: FinishPlan
    do {
      plan = try FinishPlan(
        texts, found, table: table, tracker: tracker, module: module, functions: functions, threads: sources.threadCount
      )
    } catch let error as FinishContradiction {
      throw CommandError(
        error.description,
        help: "nothing was written; check --tracker and the table, and leave the file out if they are right")
    }
    try ChangedFiles(plan.changed, before: texts).show(on: terminal, write: write)
    terminal.aside(text(of: plan, isComplete: found.skipped.isEmpty), json: [:])
    return plan.left.isEmpty && found.skipped.isEmpty ? .clean : .findings
  }

  private func text(of plan: FinishPlan, isComplete: Bool) -> String {
    let total = "\(plan.rewrittenCount.counted("call")) \(write ? "written anew" : "to write anew; --write does it")"
    guard !plan.left.isEmpty else {
      let unused = "; without use now: \(remap), and the code that makes the DualSendTracker"
      return total + ", none left" + (isComplete && plan.rewrittenCount > 0 ? unused : "")
    }
    var table = TextTable([.words("left"), .words("event"), .words("why")])
    for left in plan.left {
      table.addRow([
        "\(left.site.file):\(left.site.line)", left.site.events.map(\.name).joined(separator: ", "), left.reason,
      ])
    }
    return table.text(limit: limit) + "\n" + total + ", \(plan.left.count.grouped) left"
  }
}
