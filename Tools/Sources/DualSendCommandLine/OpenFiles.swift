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
  /// More than this is not asked for: macOS refuses it.
  private static let most: rlim_t = 10_240

  /// Raises the limit as far as the system lets a process do so itself.
  ///
  /// - Returns: what is wrong if that is too low: the event loops would end the process with a trace.
  public static func shortage() -> CommandError? {
    #if os(Linux) && canImport(Glibc)
      let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
      let resource = RLIMIT_NOFILE
    #endif
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return nil }
    let highest = min(limit.rlim_max, most)
    if limit.rlim_cur < highest {
      limit.rlim_cur = highest
      setrlimit(resource, &limit)
    }
    guard limit.rlim_cur < rlim_t(least) else { return nil }
    return CommandError(
      "this process may have \(limit.rlim_cur) files open at once, and needs \(least)",
      help: "raise the limit: `ulimit -n \(max(least, 1024))`")
  }
}
