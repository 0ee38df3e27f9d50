import DualSendCommandLine
import DualSendHTTPClient
import Foundation

// Must run before the first event loop opens.
if let shortage = OpenFiles.shortage() {
  FileHandle.standardError.write(Data("\(shortage)\n".utf8))
  exit(CommandStatus.couldNotRun.rawValue)
}
let terminal = Terminal.standard(transport: SystemTransport.make())
let status = await DualSendCommand.runProcess(on: terminal)
exit(status.rawValue)
