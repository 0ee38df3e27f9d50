import DualSendCommandLine
import DualSendCommands
import DualSendHTTPClient
import Foundation

let console = Console.standard(transport: SystemTransport.make())
let status = await DualSendCommand.runProcess(on: console)
exit(status.rawValue)
