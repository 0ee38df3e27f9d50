import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Checks the limit of open files.
public enum OpenFiles {
  /// The number needed for files, connections, and one event loop per processor.
  private static let least = 32 + 4 * ProcessInfo.processInfo.activeProcessorCount

  /// The error for a limit that is too low, with which the event loops would crash.
  public static func shortage() -> CommandError? {
    let limit = sysconf(Int32(_SC_OPEN_MAX))
    guard limit >= 0, limit < least else { return nil }
    return CommandError(
      "the limit of \(limit) open files is too low: this process needs \(least)",
      help: "raise the limit: `ulimit -n \(max(least, 1024))`")
  }
}
