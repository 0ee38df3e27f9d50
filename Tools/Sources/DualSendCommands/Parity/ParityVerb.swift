import ArgumentParser
import DualSend
import DualSendCollector
import DualSendCommandLine
import DualSendCore
import DualSendDelivery
import DualSendParity
import DualSendRemapping
import Foundation

/// `dualsend parity`: compares the events of both streams.
struct ParityVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "parity",
    abstract: "Compare the old sink's events with those that the collector received, field by field.",
    discussion: """
      Each old event passes through the old sink's normalisation and the remapping table, and is compared with the new \
      event of the same id. The files may be in any order and of any size.
      If only one stream has an event, the decision that it carries tells whether it is expected or lost: see the \
      adapter's option oldLoggerEventIDKey. An event without a decision is judged by every rollout document that could have \
      been in force (--rollout); if these disagree, the event is undecided and is not counted. Without documents, it is \
      lost, unless --allow-lone accepts it.
      Exit status 1 if an event fails --max-mismatch, if a line is broken, or if nothing could be compared. By default, no \
      event may differ, be lost or be unexpected. A share above 0% must be shown: the upper 95% bound for each event must \
      be within it.
      """
  )

  /// The forms of a report.
  enum Form: String, ExpressibleByArgument, CaseIterable {
    case text, json, markdown, html
  }

  @Option(help: ArgumentHelp("The old sink's output, as JSON lines.", valueName: "file"))
  var old: String
  @Option(help: ArgumentHelp("The events that the collector received, as JSON lines.", valueName: "file"))
  var new: String
  @Option(
    help: ArgumentHelp(
      "The format of the new stream's lines: events as a collector stores them (dualsend), or requests or single events of a vendor (\(CollectorFormat.names)).",
      valueName: "name"),
    transform: { try CollectorFormat(named: $0) })
  var newFormat = CollectorFormat.dualsend
  @Option(help: ArgumentHelp("The remapping table.", valueName: "file"))
  var remap: String
  @Option(
    help: ArgumentHelp(
      "The old sink's normalisation: `firebase`, `none`, or a file.", valueName: "preset or file")
  )
  var normalise = "none"
  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("Count differences at this path separately; may be repeated.", valueName: "path"),
    transform: { try KeyPathArgument.read($0) })
  var ignore: [KeyPathPattern] = []
  @OptionGroup(title: "What passes") var gate: GateOptions
  @OptionGroup(title: "Where events belong") var membership: MembershipOptions
  @Option(help: ArgumentHelp(IDKeyOption.help, valueName: "key"))
  var idKey: String?
  @Flag(help: "Join by name and order in time instead of by id.")
  var byOrder = false
  @Option(help: ArgumentHelp("With --by-order: the longest time between the two events of a pair.", valueName: "ms"))
  var window: Int64?
  @Option(help: ArgumentHelp("A second recording of the old stream, to subtract its noise.", valueName: "file"))
  var calibrate: String?
  @Option(
    help: ArgumentHelp(
      "Keep the counts of each day, event and revision in this file, for example DOCUMENT.parity.jsonl; see `dualsend trend`.",
      valueName: "file"))
  var keep: String?
  @OptionGroup var alarm: WebhookOption
  @Option(help: "The number of threads.")
  var threads = 1
  @Option(name: .customLong("format"), help: "The format of the report.")
  var form: Form = .text

  var format: OutputFormat { form == .json ? .json : .text }

  func validate() throws {
    if !byOrder, window != nil { throw ValidationError("--window needs --by-order") }
    if !byOrder, membership.rollout.isEmpty, membership.unitKey != nil {
      throw ValidationError("--unit-key needs --by-order or --rollout")
    }
    if byOrder, idKey != nil { throw ValidationError("--id-key and --by-order exclude each other") }
    if !(1...64).contains(threads) { throw ValidationError("--threads is a number from 1 to 64") }
    if let window, window < 0 { throw ValidationError("--window is a number of milliseconds") }
  }

  func run(on terminal: Terminal) async throws -> CommandStatus {
    let table = try RemappingTable(try InputFile.bytes(remap), name: remap)
    var comparer = ParityComparer(table: table, normalisation: try normalisation(), join: joinRule)
    comparer.membership = try membership.membership()
    comparer.threads = threads
    let line = Locked(ProgressLine(terminal))
    func compare(_ old: String, with other: String, form: StreamForm) throws -> ParityReport {
      for file in [old, other] { try readable(file) }
      return try comparer.compare(old: URL(fileURLWithPath: old), new: URL(fileURLWithPath: other), form: form) {
        let (read, compared) = ($0.linesRead, $0.linesCompared)
        line.withLock { $0.show("\(read.counted("line")) read, \(compared.grouped) compared") }
      }
    }
    let converted = try convertedStream()
    defer { if let converted { try? FileManager.default.removeItem(at: converted) } }
    comparer.countsDays = keep != nil
    if let keep { _ = try ParityDays(reading: keep) }
    var report = try compare(old, with: converted?.path ?? new, form: .wire)
    comparer.countsDays = false
    if let calibrate { report = report.calibrated(by: try compare(old, with: calibrate, form: .legacy)) }
    line.withLock { $0.clear() }
    if let keep { for words in try ParityDays.keep(report.days, in: keep).words(path: keep) { terminal.note(words) } }
    let judgement = gate.gate(otherwise: .none).judgement(on: report)
    switch form {
    case .text: terminal.result(report.text(judgement))
    case .json: terminal.result(report.json(judgement))
    case .markdown: terminal.result(report.markdown(judgement))
    case .html: terminal.result(report.html(judgement))
    }
    // Text names the first failures and counts the rest. JSON names all.
    let findings = ParityFindings(report, judgement, namedEvents: format == .json ? .max : 20)
    terminal.report(findings.diagnostics(old: old, new: new), format: format)
    if let webhook = alarm.webhook(on: terminal) {
      var alarm = ParityAlarm()
      try await alarm.tell(of: judgement, source: "\(old) and \(new)", send: webhook.post)
    }
    if findings.unnamedEvents > 0 { terminal.note("note: \(findings.unnamedEvents.grouped) more events do not pass") }
    return judgement.passes ? .clean : .findings
  }

  private func normalisation() throws -> Normalisation {
    var normalisation =
      try Normalisation.presets[normalise]
      ?? Normalisation(try InputFile.bytes(normalise), name: normalise)
    normalisation.ignored += ignore
    return normalisation
  }

  private func readable(_ file: String) throws {
    guard FileManager.default.isReadableFile(atPath: file) else {
      throw CommandError("cannot read \(file)", help: "check the path")
    }
  }

  /// The new stream converted to the form that a collector stores; `nil` if it already has that form.
  private func convertedStream() throws -> URL? {
    guard newFormat != .dualsend else { return nil }
    let output = FileManager.default.temporaryDirectory.appendingPathComponent("dualsend-parity-\(UUID()).jsonl")
    do {
      try readable(new)
      try VendorStream(newFormat).convert(URL(fileURLWithPath: new), to: output)
    } catch let line as VendorStream.BrokenLine {
      try? FileManager.default.removeItem(at: output)
      throw CommandError("\(new):\(line.number) is no \(newFormat.rawValue) request: \(line.fault.description)")
    } catch {
      try? FileManager.default.removeItem(at: output)
      throw error
    }
    return output
  }

  private var joinRule: JoinRule {
    byOrder ? .order(unit: membership.unitKey, window: window) : .eventID(parameter: idKey)
  }
}
