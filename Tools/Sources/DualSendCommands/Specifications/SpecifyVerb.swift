import ArgumentParser
import DualSend
import DualSendCodeGeneration
import DualSendCommandLine
import DualSendCore

/// `dualsend specify`: a specification drafted from events that were really sent.
struct SpecifyVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "specify",
    abstract: "Draft a specification of events from legacy events.",
    discussion: """
      Reads {"name":…, "parameters":{…}} from each line of each file. A parameter gets the type that was seen, and is \
      nullable if it was absent or null somewhere: the draft says what the events say, and people know what they mean. \
      No value of an event is written unless --values asks for closed lists.

      Without --output the draft is printed as JSON. --output names a file for JSON, or a folder (one that is there, or a \
      name that ends in `/`) for one Markdown file an event; nothing that is there is written over.

      Exit status 1 if something is left to decide, such as a parameter of several types, or lines were malformed.
      """
  )

  @Option(
    parsing: .upToNextOption, help: ArgumentHelp("The legacy events; - for standard input.", valueName: "file"))
  var fromEvents: [String]
  @Option(
    help: ArgumentHelp(
      "Close the list of a parameter that has at most so many different strings or integers, each seen twice on average.",
      valueName: "number"))
  var values = 0
  @Option(name: .customLong("output"), help: ArgumentHelp("Where the draft goes.", valueName: "file|folder"))
  var destination: String?
  @OptionGroup var output: FormatOption

  var format: OutputFormat { output.format }

  init() {}

  func validate() throws {
    if fromEvents.isEmpty { throw ValidationError("--from-events needs a file") }
    if !(0...100).contains(values) { throw ValidationError("--values is a number from 0 to 100") }
    try DocumentInput.checkStandardInput(fromEvents.count { $0 == "-" })
  }

  func run(on console: Console) async throws -> CommandStatus {
    var draft = EventSpecificationDraft(closedValuesLimit: values)
    var (events, malformed) = (0, 0)
    for file in fromEvents {
      var lines = try LegacyLines(file, input: console.input)
      try lines.forEach("specify", on: console) { draft.add(name: $0.event.name, parameters: $0.event.parameters) }
      lines.reportMalformed(on: console, format: format)
      events += lines.eventCount
      malformed += lines.malformedCount
    }
    let (specification, findings) = draft.finished()
    console.report(findings)
    let counted = "\(specification.events.count.counted("event")) specified from \(events.grouped)"
    if let destination {
      let files = try SpecificationOutput.write(specification, to: destination)
      if format == .json {
        console.result([
          "specified": .int(Int64(specification.events.count)), "events": .int(Int64(events)),
          "malformedLines": .int(Int64(malformed)), "files": .int(Int64(files)),
        ])
      } else {
        console.result("\(counted), \(files.counted("file")) written")
      }
    } else {
      console.document(specification.json)
      console.note(counted)
    }
    return findings.isEmpty && malformed == 0 ? .clean : .findings
  }
}
