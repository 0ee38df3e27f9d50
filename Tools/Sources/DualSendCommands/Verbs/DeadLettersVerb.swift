import ArgumentParser
@_spi(Tools) import DualSendCore
import DualSendJSONLines
@_spi(Tools) import DualSendTracking
import Foundation

/// `dualsend deadletters`: list, export or retry what the collector refused for good.
struct DeadLettersVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "deadletters",
    abstract: "List, export or retry the events that the collector refused for good.",
    discussion: """
      Without an option it lists them, without their payloads. The database must not be in use by a tracker when \
      --retry is given.
      """
  )

  @OptionGroup var database: DatabaseArgument
  @Option(help: ArgumentHelp("Append the events, payloads included, to this file as JSON lines.", valueName: "file"))
  var export: String?
  @Flag(help: "Put all of them back into the queue; the tracker sends them at its next launch.")
  var retry = false
  @OptionGroup var output: FormatOption

  var format: OutputFormat { output.format }

  init() {}

  func run(on console: Console) async throws -> CommandStatus {
    let file = try database.file()
    do {
      let store = try SQLiteTrackingDataStore.forTool(file)
      let letters = try store.deadLetters()
      if let export { try write(letters, to: export) }
      if format == .json { console.result(json(letters)) } else { console.result(text(letters)) }
      if retry { console.note("\(try store.retryDeadLetters().grouped) events are back in the queue") }
      return .clean
    } catch let error as TrackingStoreError {
      throw CommandError("\(database.path): \(error)")
    }
  }

  private func write(_ letters: [DeadLetter], to path: String) throws {
    var file = try JSONLinesFile(appendingTo: URL(fileURLWithPath: path))
    for letter in letters { try file.append(letter.event.body) }
    try file.close()
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
