import Foundation

/// What this process has used.
enum ProcessUsage {
  /// User and system time of all threads, in seconds.
  static var cpuSeconds: Double {
    let usage = current
    return seconds(usage.ru_utime) + seconds(usage.ru_stime)
  }

  /// How often a thread gave its processor up to wait for something.
  static var voluntarySwitches: Int { current.ru_nvcsw }

  /// The most memory that was ever resident at once, in bytes.
  static var peakMemory: Int {
    #if os(Linux)
      // Not `ru_maxrss`: Linux carries that over from the process that started this one.
      let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
      let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
      return (Int(line.filter(\.isNumber)) ?? 0) << 10
    #else
      return current.ru_maxrss
    #endif
  }

  /// The memory that is resident, in bytes, and the number of threads; zeros where the kernel does not say.
  static var resident: (bytes: Int, threads: Int) {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    func number(_ name: String) -> Int {
      let line = status.split(separator: "\n").first { $0.hasPrefix(name) } ?? ""
      return Int(line.filter(\.isNumber)) ?? 0
    }
    return (number("VmRSS:") << 10, number("Threads:"))
  }

  private static var current: rusage {
    var usage = rusage()
    #if canImport(Glibc)
      getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    #else
      getrusage(RUSAGE_SELF, &usage)
    #endif
    return usage
  }

  private static func seconds(_ time: timeval) -> Double {
    Double(time.tv_sec) + Double(time.tv_usec) / 1e6
  }
}
