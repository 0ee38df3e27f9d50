import ArgumentParser
@_spi(Tools) import DualSendCore
import DualSendDatabase
import DualSendJSONLines
@_spi(Tools) import DualSendTracking
import Foundation

/// `dualsend salvage`: what can still be read from a damaged database.
struct SalvageVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "salvage",
    abstract: "Write the waiting events that can still be read from a damaged database to a file.",
    discussion: "Changes nothing in the database. Exit status 1 if damage ended the reading early."
  )

  @OptionGroup var database: DatabaseArgument
  @Option(help: ArgumentHelp("Append the events to this file as JSON lines, ready to be posted.", valueName: "file"))
  var out: String

  init() {}

  func run(on console: Console) async throws -> CommandStatus {
    let damaged = try database.file()
    var file = try JSONLinesFile(appendingTo: URL(fileURLWithPath: out))
    do {
      let (count, faults) = try StoreSalvage.events(of: damaged) { try file.append($0.body) }
      try file.close()
      console.result("\(count.grouped) events read from \(database.path)")
      for fault in faults { console.note("note: \(fault)") }
      return faults.isEmpty ? .clean : .findings
    } catch let error as TrackingStoreError {
      throw CommandError("\(database.path): \(error)")
    }
  }
}
