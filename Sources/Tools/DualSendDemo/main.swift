import ArgumentParser
import DualSendCollector
import DualSendCommandLine
import DualSendDelivery
import Foundation

/// Only `dualsend demo`, without `--console`. It connects only to this machine, so it is built without a general HTTP client.
struct DemoCommand: CommandRoot, Verb {
  static let configuration = CommandConfiguration(
    commandName: "demo", abstract: DemoRun.abstract, discussion: DemoRun.discussion)

  @OptionGroup var demo: DemoRun

  var format: OutputFormat { demo.format }

  func run(on terminal: Terminal) async throws -> CommandStatus {
    try await demo.run(on: terminal)
  }
}

let status = await DemoCommand.runProcess(on: .standard(transport: LoopbackTransport()))
exit(status.rawValue)
