import ArgumentParser
import DualSend
import DualSendCommandLine
import DualSendCore
import DualSendDelivery
import DualSendParity
import DualSendRemapping
import DualSendRolloutAnalysis
import Foundation

/// `dualsend parity`: compares the events of both streams.
struct ParityVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "parity",
    abstract: "Compare the old logger's events with those that the collector received; show parity over time.",
    discussion: """
      Each old event passes through the old logger's normalisation and the remapping table, and is compared with the new \
      event of the same id. The files may be in any order and of any size.
      An event of only one stream is one-sided or lost by the decision that it carries (see oldLoggerEventIDKey), or by the \
      documents of --rollout.
      Exit status 1 if an event fails --max-failing, if a line is broken, or if nothing could be compared. By default, no \
      event may differ, be lost or be unexpected. The upper 95% bound for each event must be within a share above 0%.
      Streams of any size are compared in shards with the same report; pass the same options to --shards, --partial and \
      --merge. \(MembershipOptions.hiddenOptions("parity"))
      """.examples(
        "dualsend parity --old old.jsonl --new new.jsonl --remap remapping.json",
        "dualsend parity --old old.jsonl --new new.jsonl --remap remapping.json \\\n      --max-failing 0.1%",
        "dualsend parity --trend rollout.json.parity.jsonl --by event")
  )

  /// The forms of a report.
  enum Form: String, ExpressibleByArgument, CaseIterable {
    case text, json, markdown, html, csv
  }

  @Option(help: ArgumentHelp("The old logger's output, as JSON lines; `-` for standard input.", valueName: "file"))
  var old: String?
  @Option(
    help: ArgumentHelp(
      "The events that the collector received, as JSON lines; `-` for standard input.", valueName: "file"))
  var new: String?
  @OptionGroup var streams: StreamFormatOptions
  @OptionGroup var join: JoinOptions
  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("Count differences at this path separately; may be repeated.", valueName: "path"),
    transform: { try KeyPathArgument.read($0) })
  var ignore: [KeyPathPattern] = []
  @OptionGroup(title: "What passes") var gate: GateOptions
  @OptionGroup(title: "Where events belong") var membership: MembershipOptions
  @Flag(help: "Join by name and order in time instead of by id.")
  var byOrder = false
  @Option(
    help: ArgumentHelp(
      "With --by-order: the longest time between the two events of a pair (default: none).", valueName: "ms"))
  var window: Int64?
  @Option(help: ArgumentHelp("A second recording of the old stream, to subtract its noise.", valueName: "file"))
  var calibrate: String?
  @Option(
    help: ArgumentHelp(
      "Write who was affected: each unit with a failing event, as CSV; from the comparison of two streams.",
      valueName: "file"))
  var units: String?
  @Flag(help: "Name the SHA-256 of each file that was compared.")
  var hashes = false
  @OptionGroup(title: "In shards") var sharding: ShardOptions
  @OptionGroup(title: "Over time") var time: TrendOptions
  @OptionGroup var alarm: WebhookOption
  @Option(help: "The number of threads.")
  var threads = 1
  @Option(name: .customLong("format"), help: "The format of the report; csv only for --trend alone, html not for it.")
  var form: Form = .text

  var format: OutputFormat { form == .json ? .json : .text }

  func validate() throws {
    if showsTrend {
      if form == .html { throw ValidationError("--trend alone has no --format html") }
      return
    }
    if form == .csv { throw ValidationError("--format csv needs --trend without --old and --new") }
    if time.isFiltered {
      throw ValidationError("--by, --event, --revision, --since and --until need --trend without --old and --new")
    }
    if !byOrder, window != nil { throw ValidationError("--window needs --by-order") }
    if byOrder, join.idKey != nil { throw ValidationError("--id-key and --by-order exclude each other") }
    if !(1...64).contains(threads) { throw ValidationError("--threads is a number from 1 to 64") }
    if let window, window < 0 { throw ValidationError("--window is a number of milliseconds") }
    if units != nil || hashes, sharding.isUsed {
      throw ValidationError("--units and --hashes go with two streams that are compared at once, not in shards")
    }
    if [old, new, calibrate].count(where: { $0 == "-" }) > 1 {
      throw ValidationError("only one of the streams can be standard input")
    }
    if old == "-", calibrate != nil { throw ValidationError("--calibrate reads --old twice: name a file") }
    if hashes, [old, new, calibrate].contains("-") {
      throw ValidationError("--hashes reads each file again: name files in place of `-`")
    }
    try validateInputs()
  }

  /// Whether the counts of `--trend` are shown; with streams to compare, counts are added to them.
  private var showsTrend: Bool {
    time.trend != nil && old == nil && new == nil && join.remap == nil && calibrate == nil && !sharding.isUsed
  }

  /// Each mode reads other files.
  private func validateInputs() throws {
    let streams = [("--old", old), ("--new", new), ("--calibrate", calibrate)].filter { $0.1 != nil }.map(\.0)
    if sharding.shards != nil {
      if streams.isEmpty { throw ValidationError("--shards reads --old, --new or --calibrate") }
      if byOrder, join.remap == nil { throw ValidationError("--shards with --by-order needs --remap") }
      if self.streams.isUsed, sharding.numbered {
        throw ValidationError("--old-format and --new-format read lines without numbers before them")
      }
      return
    }
    if sharding.merge {
      if calibrate != nil { throw ValidationError("--calibrate is an option of --shards, not of --merge") }
      return
    }
    if sharding.partial, let stream = streams.first { throw ValidationError("\(stream) is an option of --shards") }
    var needed: [(String, String?)] = sharding.partial ? [] : [("--old", old), ("--new", new)]
    needed.append(("--remap", join.remap))
    if needed.allSatisfy({ $0.1 == nil }) { throw ValidationError("name --old, --new and --remap, or --trend") }
    if let missing = needed.first(where: { $0.1 == nil }) { throw ValidationError("Missing \(missing.0) <file>") }
  }

  func run(on terminal: Terminal) async throws -> CommandStatus {
    if showsTrend, let kept = time.trend { return try time.run(kept, form: form, on: terminal) }
    if sharding.shards != nil { return try writeShards(on: terminal) }
    if sharding.partial { return try comparePartial(on: terminal) }
    if let kept = time.trend { _ = try ParityDays(reading: kept) }
    if sharding.merge { return try await conclude(try sharding.mergedReport(on: terminal), terminal) }
    return try await conclude(try compare(on: terminal), terminal)
  }

  private func compare(on terminal: Terminal) throws -> ParityReport {
    guard let old, let new else { throw CommandError("two streams are compared") }
    var comparer = try comparer()
    let line = Locked(ProgressLine(terminal))
    func compare(_ old: String, with other: String, form: StreamForm) throws -> ParityReport {
      let files = try [old, other].map { file in
        if file == "-" { return URL(fileURLWithPath: "/dev/fd/\(terminal.input.fileDescriptor)") }
        try readable(file)
        return URL(fileURLWithPath: file)
      }
      comparer.formats = streams.formats(for: form)
      return try comparer.compare(old: files[0], new: files[1], form: form) {
        let (read, compared) = ($0.linesRead, $0.linesCompared)
        line.withLock { $0.show("\(read.counted("line")) read, \(compared.grouped) compared") }
      }
    }
    (comparer.countsDays, comparer.listsAffectedUnits) = (time.trend != nil, units != nil)
    var report = try compare(old, with: new, form: .wire)
    (comparer.countsDays, comparer.listsAffectedUnits) = (false, false)
    if let calibrate { report = report.calibrated(by: try compare(old, with: calibrate, form: .legacy)) }
    line.withLock { $0.clear() }
    if hashes { report.inputs = try inputs(old: old, new: new) }
    for note in streams.notes(old: old, new: new) { terminal.note(note) }
    return report
  }

  private func inputs(old: String, new: String) throws -> [ParityReport.Input] {
    let files = [("old", old), ("new", new), ("remap", join.remap), ("calibrate", calibrate)]
    return try files.compactMap { role, path in
      guard let path else { return nil }
      let hash = try InputFile.opened(path) {
        try DocumentHash.text(reading: try FileHandle(forReadingFrom: URL(fileURLWithPath: path)))
      }
      return ParityReport.Input(role: role, path: path, sha256: hash)
    }
  }

  /// Writes who was affected.
  private func keepUnits(of report: ParityReport, _ terminal: Terminal) throws {
    guard let units else { return }
    try InputFile.replace(units, with: Array(report.affected.csv.utf8))
    if report.affected.omitted > 0 {
      terminal.note(
        "warning: \(units) has \(AffectedUnits.maximumRows.grouped) lines; \(report.affected.omitted.counted("event")) of "
          + "further units are left out: compare a shorter time")
    }
  }

  /// Prints and judges a report.
  private func conclude(_ report: ParityReport, _ terminal: Terminal) async throws -> CommandStatus {
    let (old, new) = (self.old ?? "old stream", self.new ?? "new stream")
    if let kept = time.trend {
      for words in try ParityDays.keep(report.days, in: kept).words(path: kept) { terminal.note(words) }
    }
    try keepUnits(of: report, terminal)
    let judgement = gate.gate(otherwise: .none).judgement(on: report)
    switch form {
    case .text, .csv: terminal.result(report.text(judgement))
    case .json: terminal.result(report.json(judgement))
    case .markdown: terminal.result(report.markdown(judgement))
    case .html: terminal.result(report.html(judgement))
    }
    // Text names the first failures and counts the rest. JSON names all.
    let findings = ParityFindings(
      report, judgement, namedEvents: format == .json ? .max : 20, formats: streams.formats)
    terminal.report(findings.diagnostics(old: old, new: new), format: format)
    if let webhook = alarm.webhook(on: terminal) {
      var alarm = ParityAlarm()
      try await alarm.tell(of: judgement, source: "\(old) and \(new)", send: webhook.post)
    }
    if findings.unnamedEvents > 0 { terminal.note("note: \(findings.unnamedEvents.grouped) more events do not pass") }
    return judgement.passes ? .clean : .findings
  }

  private func comparer() throws -> ParityComparer {
    var comparer = ParityComparer(table: try join.table(), normalisation: try normalisation(), join: joinRule)
    comparer.membership = try membership.membership()
    (comparer.samplesUnits, comparer.unitKey) = (true, membership.unitKey)
    comparer.clusterKey = membership.clusterKey
    comparer.threads = threads
    return comparer
  }

  private func tableBytes() throws -> [UInt8] { try join.remap.map { try InputFile.bytes($0) } ?? [] }

  private func normalisation() throws -> Normalisation {
    var normalisation = try join.normalisation()
    normalisation.ignored += ignore
    return normalisation
  }

  private func readable(_ file: String) throws {
    guard FileManager.default.isReadableFile(atPath: file) else {
      throw CommandError("cannot read \(file)", help: "check the path")
    }
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: file, isDirectory: &isFolder), isFolder.boolValue {
      throw CommandError("\(file) is a folder", help: "name a file; `cat FOLDER/*.jsonl` makes one of several")
    }
  }

  private var joinRule: JoinRule {
    byOrder ? .order(unit: membership.unitKey, window: window) : join.byID
  }

  // MARK: - In shards

  private func writeShards(on terminal: Terminal) throws -> CommandStatus {
    var writer = ShardWriter(
      count: sharding.shards ?? 1, join: joinRule, table: byOrder ? try join.table() : nil, mark: try joinMark(),
      write: { try terminal.data($0) })
    let files: [(ShardStream, String?)] = [(.old, old), (.new, new), (.calibrate, calibrate)]
    for (stream, path) in files {
      guard let path else { continue }
      let format = sharding.numbered ? nil : streams.formats[stream == .new ? .new : .old]
      let reader =
        try path == "-"
        ? RecordingReader(terminal.input, format)
        : InputFile.opened(path) { try RecordingReader(URL(fileURLWithPath: path), format) }
      try writer.add(reader, as: stream, isNumbered: sharding.numbered, name: path)
    }
    return .clean
  }

  private func comparePartial(on terminal: Terminal) throws -> CommandStatus {
    let lines = LineReader(terminal.input, maximumLineBytes: ShardWriter.maximumLineBytes)
    let partial = try comparer().compareShards(lines, comparison: try comparisonMark(), mark: try joinMark())
    terminal.data(partial.json.canonicalText + "\n")
    return .clean
  }

  /// Identifies the keys of lines. Shards with other keys cannot be compared.
  private func joinMark() throws -> String {
    guard byOrder else { return TextHash.mark(of: [Array(joinRule.description.utf8)]) }
    let rule = JoinRule.order(unit: membership.unitKey, window: nil)
    return TextHash.mark(of: [Array(rule.description.utf8), try tableBytes()])
  }

  /// Identifies what is compared and how.
  private func comparisonMark() throws -> String {
    let texts = [joinRule.description] + ignore.map(\.description) + membership.texts
    return TextHash.mark(of: try join.texts() + texts.map { Array($0.utf8) })
  }
}

/// The options of a comparison in shards.
struct ShardOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Divide the lines of --old, --new and --calibrate (`-` for standard input) into this many shards, and write \
      `SHARD TAB STREAM:NUMBER TAB LINE` for each.
      """, valueName: "count"))
  var shards: Int?
  @Flag(help: "With --shards: each line is preceded by its number in the stream and a tab.")
  var numbered = false
  @Flag(help: "Compare the lines of some shards from standard input, and write one line for --merge.")
  var partial = false
  @Flag(help: "Add the lines that --partial wrote, from these files or standard input, and report on them.")
  var merge = false
  @Argument(help: ArgumentHelp("With --merge: files with lines of --partial.", valueName: "file"))
  var partials: [String] = []

  /// Whether any of the three modes is chosen.
  var isUsed: Bool { shards != nil || partial || merge }

  func validate() throws {
    if [shards != nil, partial, merge].count(where: { $0 }) > 1 {
      throw ValidationError("--shards, --partial and --merge exclude each other")
    }
    if let shards, !(1...65_536).contains(shards) { throw ValidationError("--shards is a number from 1 to 65536") }
    if numbered, shards == nil { throw ValidationError("--numbered needs --shards") }
    if let file = partials.first, !merge { throw ValidationError("`\(file)` without --merge") }
  }

  /// The sum of all partial results.
  fileprivate func mergedReport(on terminal: Terminal) throws -> ParityReport {
    var sum = PartialSum()
    for path in partials.isEmpty ? ["-"] : partials {
      let handle =
        try path == "-"
        ? terminal.input : InputFile.opened(path) { try FileHandle(forReadingFrom: URL(fileURLWithPath: path)) }
      let name = path == "-" ? "standard input" : path
      var reader = LineReader(handle, maximumLineBytes: 1 << 30)
      while let line = reader.next() {
        if line.bytes.allSatisfy({ $0 <= 0x20 }) { continue }
        do { try sum.add(try PartialParity(line.bytes)) } catch {
          throw CommandError("line \(line.number) of \(name) cannot be added: \(error.reason)")
        }
      }
      if let failure = reader.failure { throw CommandError("cannot read \(name): \(failure.localizedDescription)") }
    }
    do { return try sum.total() } catch {
      throw CommandError("the partial results are incomplete: \(error.reason)", help: "run the tasks that failed again")
    }
  }
}
