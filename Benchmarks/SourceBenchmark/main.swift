import DualSendSource
import Foundation
import SwiftParser
import SwiftSyntax

// `source-benchmark [LINES]`: measures the inventory of two generated apps, one of LINES lines and one of half
// as many, beside parsing alone in the same run. Exits with 1 if a target is missed.

/// The allowed factor of processor time for twice the lines.
let promisedGrowth = 2.5
let promisedMegabytes = 500.0
/// The target of elapsed time for 1,000,000 lines on an idle machine with two processors. Only printed, because other
/// processes affect it.
let targetSeconds = 60.0

/// The cost of a measured function.
struct Cost {
  /// Elapsed seconds.
  let elapsed: Double
  /// Processor seconds of all threads together, which depend little on other processes.
  let processor: Double

  init(of body: () -> Void) {
    let (start, before) = (DispatchTime.now(), Self.usage())
    body()
    let after = Self.usage()
    elapsed = Double(DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds) / 1e9
    processor =
      Self.seconds(after.ru_utime) + Self.seconds(after.ru_stime) - Self.seconds(before.ru_utime)
      - Self.seconds(before.ru_stime)
  }

  var text: String { String(format: "%6.1f s, %6.1f s of the processor", elapsed, processor) }

  static func usage() -> rusage {
    var usage = rusage()
    #if canImport(Darwin)
      getrusage(RUSAGE_SELF, &usage)
    #else
      getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    #endif
    return usage
  }

  private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
}

/// Measures one app.
///
/// - Returns: the cost of the inventory, and whether every place is exact.
func measured(lines: Int, threads: Int) throws -> (cost: Cost, isExact: Bool) {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("dualsend-sources-\(UUID())")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  let app = try GeneratedApp(lines: lines, in: folder)
  let files = SourceFinder.files([folder.path])
  let texts = SourceTexts(files)
  let parsing = Cost {
    DispatchQueue.concurrentPerform(iterations: threads) { thread in
      for number in stride(from: thread, to: files.paths.count, by: threads) {
        if let text = texts.text(number) { _ = Parser.parse(source: text).hasError }
      }
    }
  }
  var found: SourceInventory?
  let inventory = Cost { found = SourceInventory(texts, threads: threads) }
  let calls = found?.inventory.callSites ?? []
  let exact = calls.count { $0.certainty == .exact }
  print(
    """
    \(app.lineCount) lines in \(files.paths.count) files, \(calls.count) places that log, \(exact) exact, on \(threads) threads
      parsing alone   \(parsing.text)
      inventory       \(inventory.text), \(String(format: "%.1f", inventory.processor / parsing.processor)) times parsing
    """)
  return (inventory, exact == calls.count)
}

let lines = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 1_000_000
let threads = ProcessInfo.processInfo.activeProcessorCount
let half = try measured(lines: lines / 2, threads: threads)
let whole = try measured(lines: lines, threads: threads)
let growth = whole.cost.processor / half.cost.processor
#if canImport(Darwin)
  let megabytes = Double(Cost.usage().ru_maxrss) / 1e6
#else
  let megabytes = Double(Cost.usage().ru_maxrss) * 1_024 / 1e6
#endif
print(
  """
  twice the lines take \(String(format: "%.2f", growth)) times as long (promised \(promisedGrowth)); \
  target for 1,000,000 lines \(Int(targetSeconds)) s by the clock
  memory at most \(Int(megabytes)) MB (promised \(Int(promisedMegabytes)))
  """)
exit(growth <= promisedGrowth && megabytes <= promisedMegabytes && half.isExact && whole.isExact ? 0 : 1)
