import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// How many files this process may have open at once.
public enum OpenFiles {
  /// What a command needs for its files and connections, and for the event loops, of which there is one a processor.
  private static let least = 32 + 4 * ProcessInfo.processInfo.activeProcessorCount

  /// The error if the limit is too low, because the event loops would then crash the process.
  public static func shortage() -> CommandError? {
    let limit = sysconf(Int32(_SC_OPEN_MAX))
    guard limit >= 0, limit < least else { return nil }
    return CommandError(
      "this process may have \(limit) files open at once, and needs \(least)",
      help: "raise the limit: `ulimit -n \(max(least, 1024))`")
  }
}
