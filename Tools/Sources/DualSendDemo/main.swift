import DualSendCollector
import DualSendCommandLine
import DualSendJourney
import Foundation

// `dualsend demo` alone: everything it talks to is on this machine, so it is built without an HTTP client for others.
let arguments = ["demo"] + CommandLine.arguments.dropFirst()
let status = await DualSendCommand.run(arguments, on: .standard(transport: LoopbackTransport()))
exit(status.rawValue)
