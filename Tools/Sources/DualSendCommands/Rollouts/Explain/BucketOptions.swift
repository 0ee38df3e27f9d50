import ArgumentParser
import DualSend
import DualSendCommandLine
import DualSendCore
import DualSendJSONLines
import DualSendRollout
import DualSendRolloutAnalysis
import Foundation

/// The options with which `dualsend explain` prints the buckets of units.
struct BucketOptions: ParsableArguments {
  @Flag(help: "Print the bucket of each unit, and the percentages at which it changes sinks.")
  var bucket = false
  @Option(help: ArgumentHelp("With --bucket: this salt instead of a document's.", valueName: "text"))
  var salt: String?
  @Option(help: ArgumentHelp("With --bucket: a file of units too; - for standard input.", valueName: "file"))
  var units: String?

  init() {}

  func validate() throws {
    if !bucket, salt != nil || units != nil { throw ValidationError("--salt and --units go with --bucket") }
  }

  /// Checks the options together with those that name the document and the units.
  func validate(document: DocumentInput?, unit: [String]) throws {
    if (salt == nil) == (document == nil) { throw ValidationError("name a rollout document, or a salt with --salt") }
    if salt?.isEmpty == true { throw ValidationError("--salt is empty, and no rollout document has an empty salt") }
    if unit.isEmpty, units == nil { throw ValidationError("name a unit with --unit, or a file of them with --units") }
    try DocumentInput.checkStandardInput([units == "-", document?.isStandardInput == true].count { $0 })
  }

  func run(document: DocumentInput?, unit: [String], format: OutputFormat, on terminal: Terminal) async throws {
    var salt = salt ?? ""
    if let document {
      let rollout = try RolloutDocument(proving: try await document.bytes(on: terminal), name: document.name)
      terminal.report(rollout.warnings, format: format)
      salt = rollout.salt
    }
    let bucketing = RolloutBucketing(salt: salt)
    let buckets = try allUnits(unit, terminal).map { ($0, bucketing.bucket(of: $0).index) }
    if format == .json {
      terminal.result(.array(buckets.map { ["unit": .string($0.0), "bucket": .int(Int64($0.1))] }))
      return
    }
    var table = TextTable([.words("unit"), .numbers("bucket"), .numbers("new from"), .numbers("old down to")])
    for (unit, bucket) in buckets {
      let shares = [bucket + 1, RolloutBucket.count - bucket].map {
        RolloutPercentage(thousandths: $0)?.description ?? ""
      }
      table.addRow([unit, "\(bucket)"] + shares)
    }
    terminal.result(table.text)
  }

  /// The units of the command line, then those of the file, in order.
  private func allUnits(_ unit: [String], _ terminal: Terminal) throws -> [String] {
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
