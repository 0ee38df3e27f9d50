import DualSendCommands
import Foundation

let arguments = Array(CommandLine.arguments.dropFirst())
let status = await DualSendCommand.run(arguments, on: .standard())
exit(status.rawValue)
