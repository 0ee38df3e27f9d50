import DualSendCommandLine
import DualSendHTTPClient
import DualSendJourney
import Foundation

// Before anything that opens event loops.
if let shortage = OpenFiles.shortage() {
  FileHandle.standardError.write(Data("\(shortage)\n".utf8))
  exit(CommandStatus.couldNotRun.rawValue)
}
let console = Console.standard(transport: SystemTransport.make())
let status = await DualSendCommand.runProcess(on: console)
exit(status.rawValue)
