import DualSendCommandLine
import DualSendCommandTesting
import DualSendTool

/// Runs the command with a terminal of its own.
func dualsend(_ arguments: String...) async -> (status: CommandStatus, terminal: RecordingTerminal) {
  await dualsend(arguments)
}

func dualsend(_ arguments: [String]) async -> (status: CommandStatus, terminal: RecordingTerminal) {
  let recording = RecordingTerminal()
  return (await DualSendCommand.run(arguments, on: recording.terminal), recording)
}
