import ArgumentParser
import DualSendCommandLine
import DualSendCore
import DualSendDatabase
import DualSendDelivery
package import DualSendTracking
import Foundation

/// `dualsend db letters`: lists, exports or retries the events that the collector refused for good.
struct DeadLettersVerb: FormattedVerb {
  /// The form of exported events.
  enum ExportForm: String, CaseIterable, ExpressibleByArgument {
    /// As they are posted: `{"eventId", "eventName", "eventTime", "payload"}`.
    case wire
    /// As `dualsend replay` reads them: `{"name", "parameters", "time"}`.
    case replay
  }

  static let configuration = CommandConfiguration(
    commandName: "letters",
    abstract: "List, export or retry the events that the collector refused for good.",
    discussion: """
      Without --retry, the command only reads: it neither changes nor creates a file, and works on a database that is in \
      use or mounted read-only. The list has no payloads. --id, --event and --reason select events; the default is all.
      --retry puts events back into the queue; the tracker sends them at its next launch. No tracker may use the \
      database meanwhile. An event that was damaged while it waited stays a dead letter.
      Events exported with --as replay have the new names and keys: replay them with a table that leaves these unchanged.
      """.examples(
        "dualsend db letters events.sqlite --event 'checkout.*'",
        "dualsend db letters events.sqlite --retry")
  )

  @OptionGroup var database: DatabaseArgument
  @OptionGroup var selection: DeadLetterSelection
  @Option(
    name: .output,
    help: ArgumentHelp("Append the events, payloads included, to this file as JSON lines.", valueName: "file"))
  var export: String?
  @Option(name: .customLong("as"), help: "The form of the exported lines.")
  var form: ExportForm = .wire
  @Flag(help: "Put the selected events back into the queue.")
  var retry = false
  @OptionGroup var output: FormatOption

  func run(on terminal: Terminal) async throws -> CommandStatus {
    let queue = DeadLetterQueue(try database.databases())
    let letters = try queue.letters(selection.contains)
    let retried = retry && !letters.isEmpty ? try queue.retry(selection.contains) : 0
    if let export { try write(letters, to: export) }
    show(letters, retried, on: terminal)
    return .clean
  }

  private func write(_ letters: [DeadLetter], to path: String) throws {
    let lines = letters.compactMap { letter in form == .wire ? letter.event.body : letter.replayLine }
    guard !lines.isEmpty else { return }
    var file = try OutputFile.opened(path)
    for line in lines { try file.append(line) }
    try file.close()
  }

  private func show(_ letters: [DeadLetter], _ retried: Int, on terminal: Terminal) {
    switch format {
    case .json where retry: terminal.result(["deadLetters": json(letters), "retried": .int(Int64(retried))])
    case .json: terminal.result(json(letters))
    case .text, .github:
      terminal.result(text(letters))
      if retry { terminal.note("put \(retried.counted("event")) back into the queue") }
    }
  }

  private func text(_ letters: [DeadLetter]) -> String {
    var table = TextTable([.words("event"), .words("id"), .words("time"), .words("reason")])
    for letter in letters {
      let time = Timestamp.text(milliseconds: letter.event.time)
      table.addRow([letter.event.name, letter.event.id.description, time, letter.reason])
    }
    return table.text + "\(letters.count.grouped) dead letters\n"
  }

  private func json(_ letters: [DeadLetter]) -> EventValue {
    .array(
      letters.map { letter in
        [
          "eventName": .string(letter.event.name), "eventId": .string(letter.event.id.description),
          "eventTime": .int(letter.event.time), "reason": .string(letter.reason),
        ]
      })
  }
}

/// Selects dead letters: all, or those that match every given option.
struct DeadLetterSelection: ParsableArguments {
  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("Only the event with this id; may be repeated.", valueName: "id"))
  var id: [String] = []
  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("Only events of this name, or of a prefix that ends in `*`; may be repeated.", valueName: "name")
  )
  var event: [String] = []
  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("Only this reason, or a prefix that ends in `*`; may be repeated.", valueName: "text"))
  var reason: [String] = []

  func contains(_ letter: DeadLetter) -> Bool {
    (id.isEmpty || id.contains { Self.matches($0.lowercased(), letter.event.id.description) })
      && (event.isEmpty || event.contains { Self.matches($0, letter.event.name) })
      && (reason.isEmpty || reason.contains { Self.matches($0, letter.reason) })
  }

  private static func matches(_ pattern: String, _ text: String) -> Bool {
    let (pattern, text) = (Array(pattern.utf8), Array(text.utf8))
    return pattern.last == UInt8(ascii: "*") ? text.starts(with: pattern.dropLast()) : text == pattern
  }
}

extension DeadLetter {
  /// The event as a line of a legacy log; `nil` if its body is damaged.
  fileprivate var replayLine: [UInt8]? {
    guard case .object(let members)? = try? JSONReader().value(event.body),
      case .object(let payload)? = members["payload"]
    else { return nil }
    let line: EventValue = ["name": .string(event.name), "parameters": .object(payload), "time": .int(event.time)]
    return Array(line.canonicalJSON)
  }
}

// MARK: - Dead letter queue

/// The events in a tracker's databases that the collector refused for good.
package struct DeadLetterQueue: Sendable {
  private let databases: [NamedDatabase]

  package init(_ databases: [NamedDatabase]) {
    self.databases = databases
  }

  /// The selected events. Changes no file.
  ///
  /// - Throws: ``CommandError`` if a database cannot be read.
  package func letters(_ isChosen: (DeadLetter) -> Bool) throws -> [DeadLetter] {
    try forEach { database throws(TrackingStoreError) in try StoredDeadLetters.read(database.file).filter(isChosen) }
      .flatMap { $0 }
  }

  /// Puts the selected events back into the queue, except those that cannot be sent. No tracker may use the databases
  /// meanwhile.
  ///
  /// - Returns: the number of events put back.
  /// - Throws: ``CommandError`` if a database cannot be written.
  package func retry(_ isChosen: (DeadLetter) -> Bool) throws -> Int {
    try forEach { database throws(TrackingStoreError) in
      // Opening a database for writing changes it. Open only those with something to retry.
      guard try StoredDeadLetters.read(database.file).contains(where: isChosen) else { return 0 }
      return try SQLiteTrackingDataStore.forTool(database.file).retryDeadLetters { letter in
        letter.canBeSent && isChosen(letter)
      }
    }.reduce(0, +)
  }

  private func forEach<Value>(_ body: (NamedDatabase) throws(TrackingStoreError) -> Value) throws -> [Value] {
    try databases.map { database in
      do throws(TrackingStoreError) { return try body(database) } catch {
        throw CommandError(error, database: database.path)
      }
    }
  }
}
