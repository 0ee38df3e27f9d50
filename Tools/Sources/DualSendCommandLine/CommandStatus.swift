/// How a command ended, as the shell sees it.
public enum CommandStatus: Int32, Sendable, Hashable {
  /// It ran, and there is nothing to look at.
  case clean = 0
  /// The command ran, and has findings.
  case findings = 1
  /// It could not run: a broken document, a missing file, a taken port.
  case couldNotRun = 2
  /// The command line is wrong (`EX_USAGE` of sysexits.h).
  case usage = 64
  /// SIGINT ended it in order, as shells say that.
  case interrupted = 130
  /// SIGTERM ended it in order.
  case terminated = 143
}
