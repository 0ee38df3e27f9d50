import ArgumentParser
import DualSend
@_spi(Tools) import DualSendCore
import DualSendParity
@_spi(Tools) import DualSendRemapping
import Foundation

/// `dualsend parity`: whether both streams say the same thing.
struct ParityVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "parity",
    abstract: "Compare what the old sink wrote with what the collector received, event by event, field by field.",
    discussion: """
      Each old event goes through the remapping table and what the old sink does to a payload, and is compared with \
      the new event of the same id. The files may be in any order and of any size. Exit status 1 if more pairs differ \
      than --max-mismatch allows, or nothing could be compared.
      """
  )

  /// The forms of a report.
  enum Form: String, ExpressibleByArgument, CaseIterable {
    case text, json, markdown, html
  }

  @Option(help: ArgumentHelp("What the old sink wrote, as JSON lines.", valueName: "file"))
  var old: String
  @Option(help: ArgumentHelp("What the collector received, as JSON lines.", valueName: "file"))
  var new: String
  @Option(help: ArgumentHelp("The remapping table.", valueName: "file"))
  var remap: String
  @Option(
    help: ArgumentHelp(
      "What the old sink does to a payload: `firebase`, `none`, or a file.", valueName: "preset or file")
  )
  var normalise = "none"
  @Option(
    parsing: .singleValue, help: ArgumentHelp("Count this path apart; may be repeated.", valueName: "path"),
    transform: { try Self.path($0) })
  var ignore: [KeyPathPattern] = []
  @Option(
    help: ArgumentHelp("The largest share of differing pairs that passes, such as 0.1%.", valueName: "share"),
    transform: { try Self.limit($0) })
  var maxMismatch = MismatchLimit.none
  @Option(help: ArgumentHelp("The old parameter that carries the event's id, if not `eventId`.", valueName: "key"))
  var idKey: String?
  @Flag(help: "Join by name and order in time instead of by id.")
  var byOrder = false
  @Option(help: ArgumentHelp("With --by-order: where the new payload carries the unit.", valueName: "path"))
  var unitKey: String?
  @Option(help: ArgumentHelp("With --by-order: the most milliseconds between two events of a pair.", valueName: "ms"))
  var window: Int64?
  @Option(help: ArgumentHelp("A second recording of the old stream: its noise is taken off.", valueName: "file"))
  var calibrate: String?
  @Option(help: "The form of the report.")
  var format: Form = .text

  var diagnosticsFormat: OutputFormat { format == .json ? .json : .text }

  init() {}

  func validate() throws {
    if !byOrder, unitKey != nil || window != nil { throw ValidationError("--unit-key and --window need --by-order") }
    if byOrder, idKey != nil { throw ValidationError("--id-key and --by-order exclude each other") }
    if let window, window < 0 { throw ValidationError("--window is a number of milliseconds") }
  }

  func run(on console: Console) async throws -> CommandStatus {
    let table = try RemappingTable(try InputFile.bytes(remap), name: remap)
    let comparer = ParityComparer(table: table, normalisation: try normalisation(), join: try joinRule())
    var line = ProgressLine(console)
    func compare(_ old: String, with other: String, form: StreamForm) throws -> ParityReport {
      for file in [old, other] where !FileManager.default.isReadableFile(atPath: file) {
        throw CommandError("cannot read \(file)", help: "check the path")
      }
      return try comparer.compare(old: URL(fileURLWithPath: old), new: URL(fileURLWithPath: other), form: form) {
        let (read, compared) = ($0.linesRead, $0.linesCompared)
        line.show("\(read.grouped) lines read, \(compared.grouped) compared")
      }
    }
    var report = try compare(old, with: new, form: .wire)
    if let calibrate { report = report.calibrated(by: try compare(old, with: calibrate, form: .legacy)) }
    line.clear()
    switch format {
    case .text: console.result(report.text())
    case .json: console.result(report.json)
    case .markdown: console.result(report.markdown)
    case .html: console.result(report.html)
    }
    return report.exceeds(maxMismatch) ? .findings : .clean
  }

  private func normalisation() throws -> Normalisation {
    var normalisation =
      try Normalisation.presets[normalise]
      ?? Normalisation(try InputFile.bytes(normalise), name: normalise)
    normalisation.ignored += ignore
    return normalisation
  }

  private func joinRule() throws -> JoinRule {
    byOrder ? .order(unit: try unitKey.map { try Self.path($0) }, window: window) : .eventID(parameter: idKey)
  }

  private static func path(_ text: String) throws -> KeyPathPattern {
    do { return try KeyPathPattern(text) } catch {
      throw ValidationError("`\(text)` is not a key path: \(error)")
    }
  }

  static func limit(_ text: String) throws -> MismatchLimit {
    guard let limit = MismatchLimit(text) else {
      throw ValidationError("`\(text)` is not a share such as 0.1% or 0.001")
    }
    return limit
  }
}
