import ArgumentParser
import DualSendCommandLine
import DualSendCommands
import DualSendCore
import DualSendParity
import Foundation

/// How `dualsend console` is set up.
package struct ConsoleOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The port; 0 takes any that is free.", valueName: "number"))
  var port: UInt16 = 0
  @Option(
    help: ArgumentHelp(
      "The remapping table: new events are compared with what it makes of old ones.", valueName: "file"))
  var remap: String?
  @Option(
    help: ArgumentHelp(
      "What the old sink does to a payload: `firebase`, `none`, or a file.", valueName: "preset or file"))
  var normalise = "none"
  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "One of two recordings of the old stream, by whose differences noise is measured; given twice.",
      valueName: "file"))
  var calibrate: [String] = []
  @Option(help: ArgumentHelp("Keep every text here that was live, to go back to.", valueName: "folder"))
  var folder: String?
  @Option(help: ArgumentHelp("Follow this file, to which the old logger writes JSON lines.", valueName: "file"))
  var oldLog: String?
  @Option(help: ArgumentHelp(IDKeyOption.help, valueName: "key"))
  var idKey: String?
  @Option(
    parsing: .singleValue, help: ArgumentHelp("A tracker's database to look into; may be repeated.", valueName: "file"))
  var database: [String] = []
  @Option(help: ArgumentHelp("Sign what is published with this secret key.", valueName: "file"))
  var key: String?
  @Option(help: ArgumentHelp("Publish by PUT to this address.", valueName: "address"))
  var publish: String?
  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "A header field of --publish, such as `Authorization: Bearer …`; may be repeated.", valueName: "name: value"),
    transform: { try HeaderField($0) })
  var header: [HeaderField] = []
  @Flag(help: "Show payloads' values on the page; without it only what kind each is.")
  var showValues = false
  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "A name that the page may be asked for by, such as a tunnel's; may be repeated.", valueName: "name"))
  var allowHost: [String] = []
  @Option(
    help: ArgumentHelp("For how many seconds the other side of an event is waited for.", valueName: "seconds"))
  var lostAfter = 60.0
  @OptionGroup(title: "What parity passes") var gate: GateOptions
  @Option(help: ArgumentHelp("Serve the page from this folder instead.", visibility: .hidden))
  var page: String?

  init() {}

  func validate() throws {
    guard lostAfter >= 0.1, lostAfter <= 86_400 else { throw ValidationError("--lost-after is 0.1 to 86400 seconds") }
    guard calibrate.isEmpty || calibrate.count == 2 else {
      throw ValidationError("--calibrate is given twice, with two recordings of the old stream")
    }
    if remap == nil, !calibrate.isEmpty { throw ValidationError("--calibrate goes with --remap") }
    if publish == nil, !header.isEmpty { throw ValidationError("--header goes with --publish") }
    if let publish, DocumentAddress(publish) == nil {
      throw ValidationError("--publish is an http or https address")
    }
  }
}
