import ArgumentParser
import DualSend
import DualSendCodeGeneration
import DualSendCommandLine
import DualSendCore
import DualSendDrafting
import Foundation

/// `dualsend specify`: drafts a specification from recorded events.
struct SpecifyVerb: FormattedVerb {
  static let configuration = CommandConfiguration(
    commandName: "specify",
    abstract: "Draft a specification of events from legacy events, or from another tool's tracking plan.",
    discussion: """
      --plan reads plans of Segment Protocols and typewriter, Avo's export, a JSON Schema for each event, and Snowplow's \
      self-describing schemas. What it does not read is a warning (DS1104).
      Reads {"name":…, "parameters":{…}} from each line of each file. A parameter gets the type that was seen, and is \
      nullable if it was absent or null in an event. Review the draft: it covers only the recorded events. No value of an \
      event is written unless --values asks for closed lists.
      Without --output, the draft is printed as JSON. --output names a file for JSON, or a folder (an existing one, or a \
      name that ends in `/`) for one Markdown file per event; no file is overwritten.
      Exit status 1 if something is left to decide, such as a parameter of several types, or lines were malformed.
      """.examples(
        "dualsend specify --events old.jsonl -o Events/",
        "dualsend specify --plan plan.json -o events.json")
  )

  @Option(
    parsing: .upToNextOption, help: ArgumentHelp("The legacy events; - for standard input.", valueName: "file"))
  var events: [String] = []
  @OptionGroup var oldFormat: OldFormatOption
  @Option(
    parsing: .upToNextOption, help: ArgumentHelp("Tracking plans in JSON.", valueName: "file"))
  var plan: [String] = []
  @Option(
    help: ArgumentHelp(
      "List the values of a parameter that has at most this many different strings or integers, each seen twice on average.",
      valueName: "number"))
  var values = 0
  @Option(
    name: .output, help: ArgumentHelp("The output.", valueName: "file|folder"))
  var destination: String?
  @OptionGroup var output: FormatOption

  func validate() throws {
    if events.isEmpty == plan.isEmpty { throw ValidationError("name --events or --plan, and a file") }
    if !(0...100).contains(values) { throw ValidationError("--values is a number from 0 to 100") }
    try DocumentInput.checkStandardInput(events.count { $0 == "-" })
  }

  func run(on terminal: Terminal) async throws -> CommandStatus {
    if !plan.isEmpty { return try specify(plans: plan, on: terminal) }
    var draft = EventSpecificationDraft(closedValuesLimit: values)
    var (count, malformed) = (0, 0)
    for file in events {
      var lines = try LegacyLines(file, oldFormat, input: terminal.input)
      try lines.forEach("specify", on: terminal) { draft.add(name: $0.event.name, parameters: $0.event.parameters) }
      lines.reportMalformed(on: terminal, format: format)
      count += lines.eventCount
      malformed += lines.malformedCount
    }
    let (specification, findings) = draft.finished()
    terminal.report(findings)
    let counted = "\(specification.events.count.counted("event")) specified from \(count.grouped)"
    if let destination {
      let files = try SpecificationOutput.write(specification, to: destination)
      if format == .json {
        terminal.result([
          "specified": .int(Int64(specification.events.count)), "events": .int(Int64(count)),
          "malformedLines": .int(Int64(malformed)), "files": .int(Int64(files)),
        ])
      } else {
        terminal.result("\(counted), \(files.counted("file")) written")
      }
    } else {
      terminal.document(specification.json)
      terminal.note(counted)
    }
    return findings.isEmpty && malformed == 0 && count > 0 ? .clean : .findings
  }
}

extension SpecifyVerb {
  private func specify(plans: [String], on terminal: Terminal) throws -> CommandStatus {
    let values = try plans.map { try JSONReader(maximumBytes: 64 << 20).value(try InputFile.bytes($0)) }
    guard let read = TrackingPlan(.array(values), name: plans[0]) else {
      throw CommandError(
        "\(plans[0]) is no tracking plan that is known",
        help: "known are Segment Protocols, typewriter, Avo's export, JSON Schema with a title, and Snowplow's schemas")
    }
    let specification = try EventSpecification(reading: read.specification.canonicalJSON, name: plans[0])
    terminal.report(read.findings, format: format)
    let counted = "\(specification.events.count.counted("event")) specified from \(plans.count.counted("plan"))"
    if let destination {
      let files = try SpecificationOutput.write(specification, to: destination)
      terminal.result("\(counted), \(files.counted("file")) written")
    } else {
      terminal.document(specification.json)
      terminal.note(counted)
    }
    return read.findings.isEmpty ? .clean : .findings
  }
}

// MARK: - Specification output

/// Writes a drafted specification. Never overwrites a file, because it may have been edited.
enum SpecificationOutput {
  /// - Parameter path: a file for JSON; or a folder for Markdown, if it exists or the path ends in a slash.
  /// - Returns: the number of files written.
  static func write(_ specification: EventSpecification, to path: String) throws -> Int {
    guard path.hasSuffix("/") || EventSpecification.isFolder(URL(fileURLWithPath: path)) else {
      try refuse(path)
      try InputFile.replace(path, with: Array(specification.json.utf8))
      return 1
    }
    var seen: Set<String> = []
    let files = try specification.events.map { event in
      guard let text = event.markdown else {
        throw CommandError(
          "the event `\(event.name)` cannot be written as Markdown: a name, a key or a value of it is empty or has a"
            + " line break or a control character", help: "write JSON: name a file with --output")
      }
      return ((path.hasSuffix("/") ? path : path + "/") + fileName(of: event.name, besides: &seen), text)
    }
    for (file, _) in files { try refuse(file) }
    try InputFile.makeFolder(path)
    for (file, text) in files { try InputFile.replace(file, with: Array(text.utf8)) }
    return files.count
  }

  private static func refuse(_ path: String) throws {
    guard FileManager.default.fileExists(atPath: path) else { return }
    throw CommandError("\(path) already exists", help: "name another path, or remove it")
  }

  /// A file name that is valid on every file system, for any event name.
  static func fileName(of event: String, besides seen: inout Set<String>) -> String {
    var name = ""
    for byte in event.utf8.prefix(100) {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
        name.unicodeScalars.append(Unicode.Scalar(byte))
      case UInt8(ascii: ".") where !name.isEmpty: name += "."
      default: name += "%" + String(0x100 + Int(byte), radix: 16, uppercase: true).dropFirst()
      }
    }
    // Some file systems ignore case, and README.md does not describe an event.
    var unique = name
    var number = 1
    while unique.lowercased() == "readme" || !seen.insert(unique.lowercased()).inserted {
      number += 1
      unique = "\(name)-\(number)"
    }
    return unique + ".md"
  }
}
