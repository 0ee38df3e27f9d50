import DualSendCommandLine
import DualSendSourceCommands
import Foundation

let status = await DualSendSourceCommand.runProcess(on: .standard(transport: NoTransport()))
exit(status.rawValue)
