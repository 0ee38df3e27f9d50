import ArgumentParser
import DualSend
import DualSendCommandLine
import DualSendCore
import DualSendJSONLines
import DualSendRollout
import DualSendRolloutAnalysis
import Foundation

/// `dualsend bucket`: prints the buckets of units.
struct BucketVerb: FormattedVerb {
  static let configuration = CommandConfiguration(
    commandName: "bucket",
    abstract: "Print the bucket of units, and the percentages at which they change sinks.",
    usage: """
      dualsend bucket --salt <text> [<unit> …] [--units <file>] [--format <format>]
      dualsend bucket --rollout <document> [<unit> …] [--units <file>] [--format <format>]
      """,
    discussion: """
      A unit has the new tracker from the percentage in the third column upwards, and keeps the old logger down to \
      the one in the fourth.
      A file of units has one per line. Empty lines are skipped; spaces are part of the unit.
      """
  )

  @Option(help: ArgumentHelp("The rollout document's salt.", valueName: "text"))
  var salt: String?
  @Option(help: ArgumentHelp("Take the salt of this document: \(DocumentInput.forms).", valueName: "document"))
  var rollout: DocumentInput?
  @Option(help: ArgumentHelp("Read units from this file too; - for standard input.", valueName: "file"))
  var units: String?
  @Argument(help: ArgumentHelp("The units' IDs.", valueName: "unit"))
  var unit: [String] = []
  @OptionGroup var output: FormatOption

  func validate() throws {
    if (salt == nil) == (rollout == nil) {
      throw ValidationError("name a salt with --salt, or a document with --rollout")
    }
    if salt?.isEmpty == true { throw ValidationError("--salt is empty, and no rollout document has an empty salt") }
    if unit.isEmpty, units == nil { throw ValidationError("name a unit, or a file of them with --units") }
    try DocumentInput.checkStandardInput([units == "-", rollout?.isStandardInput == true].count { $0 })
  }

  func run(on terminal: Terminal) async throws -> CommandStatus {
    var salt = salt ?? ""
    if let rollout {
      let document = try RolloutDocument(proving: try await rollout.bytes(on: terminal), name: rollout.name)
      terminal.report(document.warnings, format: format)
      salt = document.salt
    }
    let bucketing = RolloutBucketing(salt: salt)
    let buckets = try allUnits(terminal).map { ($0, bucketing.bucket(of: $0).index) }
    if format == .json {
      terminal.result(.array(buckets.map { ["unit": .string($0.0), "bucket": .int(Int64($0.1))] }))
      return .clean
    }
    var table = TextTable([.words("unit"), .numbers("bucket"), .numbers("new from"), .numbers("old down to")])
    for (unit, bucket) in buckets {
      let shares = [bucket + 1, RolloutBucket.count - bucket].map {
        RolloutPercentage(thousandths: $0)?.description ?? ""
      }
      table.addRow([unit, "\(bucket)"] + shares)
    }
    terminal.result(table.text)
    return .clean
  }

  /// The units of the command line, then those of the file, in order.
  private func allUnits(_ terminal: Terminal) throws -> [String] {
    guard let units else { return unit }
    let name = units == "-" ? DocumentInput.standardInputName : units
    let handle =
      units == "-"
      ? terminal.input
      : try InputFile.opened(units) { try FileHandle(forReadingFrom: URL(fileURLWithPath: units)) }
    var reader = LineReader(handle)
    var all = unit
    while let line = reader.next() {
      if line.bytes.isEmpty { continue }
      guard let text = String(utf8: line.bytes), !line.isCut else {
        throw CommandError("line \(line.number) of \(name) is no unit: it is not UTF-8, or too long")
      }
      all.append(text)
    }
    if let failure = reader.failure {
      throw CommandError("cannot read \(name) to its end: \(failure.localizedDescription)")
    }
    return all
  }
}
