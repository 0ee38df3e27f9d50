import ArgumentParser
import DualSendCommandLine
import DualSendCore
import DualSendInventory
import DualSendRemapping
import DualSendRewriting
import DualSendSource

/// `dualsend rewrite finish`: calls of the old logger become calls of the new tracker.
struct FinishVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "finish",
    abstract: "Write calls of the old logger as calls of the new tracker, under the new names and keys.",
    discussion: """
      Prints a unified diff; --write changes the files as well. Only a call whose event is exact (see `dualsend \
      inventory`) and stands in the call itself is written anew: renames, conversions and value tables become \
      expressions, what the table adds becomes literals. All others stay, and are listed with the reason.

      Before anything is written, the result is read as if it were anybody's: its inventory must be the inventory of \
      before through the table. If it is not, nothing is written, and the command ends with 2.

      What nothing uses any longer is listed, and stays: by names alone, so one of the same name anywhere keeps it.

      Exit status 1 if calls of the old logger are left.
      """
  )

  @OptionGroup var sources: SourceInput
  @Option(help: ArgumentHelp("The remapping table.", valueName: "table"))
  var remap: String
  @Option(help: ArgumentHelp("The expression that reaches the new tracker.", valueName: "expression"))
  var tracker = "tracker"
  @Flag(help: "Change the files.")
  var write = false
  @Option(help: ArgumentHelp("The most calls that are listed as left; 0 for all of them.", valueName: "lines"))
  var limit = 100

  init() {}

  func validate() throws {
    if limit < 0 { throw ValidationError("--limit is a number of lines, or 0") }
  }

  func run(on console: Console) async throws -> CommandStatus {
    let table = try RemappingTable(InputFile.bytes(remap), name: remap)
    console.report(table.warnings)
    let functions = try sources.functions()
    // What is read is what is changed: a file that somebody saves meanwhile is told from this.
    let texts = try sources.texts().kept()
    let found = sources.inventory(of: texts, on: console, functions: functions)
    console.report(found.findings)
    let plan: FinishPlan
    do {
      plan = try FinishPlan(
        texts, found, table: table, tracker: tracker, functions: functions, threads: sources.threadCount)
    } catch let error as FinishContradiction {
      throw CommandError(
        error.description,
        help: "nothing was written; check --tracker and the table, and leave the file out if they are right")
    }
    try ChangedFiles(plan.changed, before: texts).show(on: console, write: write)
    console.aside(FinishLeftovers(plan, texts, found, table: remap).text + text(of: plan), json: [:])
    return plan.left.isEmpty && found.skipped.isEmpty ? .clean : .findings
  }

  private func text(of plan: FinishPlan) -> String {
    let total = "\(plan.rewrittenCount.counted("call")) \(write ? "written anew" : "to write anew; --write does it")"
    guard !plan.left.isEmpty else { return total + ", none left" }
    var table = TextTable([.words("left"), .words("event"), .words("why")])
    for left in limit > 0 ? plan.left.prefix(limit) : plan.left[...] {
      table.addRow([
        "\(left.site.file):\(left.site.line)", left.site.events.map(\.name).joined(separator: ", "), left.reason,
      ])
    }
    let rest =
      limit > 0 && plan.left.count > limit ? "… and \((plan.left.count - limit).grouped) more; see --limit\n" : ""
    return table.text + rest + "\n" + total + ", \(plan.left.count.grouped) left"
  }
}
