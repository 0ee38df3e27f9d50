import DualSendCollector
import DualSendCommandLine
import DualSendJourney
import Foundation

// Only `dualsend demo`. It connects only to this machine, so it is built without a general HTTP client.
let arguments = ["demo"] + CommandLine.arguments.dropFirst()
let status = await DualSendCommand.run(arguments, on: .standard(transport: LoopbackTransport()))
exit(status.rawValue)
