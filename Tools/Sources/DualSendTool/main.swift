import DualSendCommands
import DualSendHTTPClient
import Foundation

let arguments = Array(CommandLine.arguments.dropFirst())
let status = await DualSendCommand.run(arguments, on: .standard(transport: SystemTransport.make()))
exit(status.rawValue)
