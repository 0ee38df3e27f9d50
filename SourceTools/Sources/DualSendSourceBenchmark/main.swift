import DualSendInventory
import DualSendSource
import Foundation
import SwiftParser
import SwiftSyntax

// `dualsend-source-benchmark [LINES]`: what an inventory takes, beside what parsing alone takes in the same run, and the
// memory at most. Ends with 1 if a promise is broken.

/// What is promised: times the processor's time of parsing alone, and memory. The absolute target stands beside it.
let promisedRatio = 10.0
let promisedMegabytes = 1_000.0
let targetSeconds = 60.0

/// What some work took.
struct Cost {
  /// Seconds by the clock.
  let elapsed: Double
  /// Seconds of the processor, all threads together: what a busy machine does not change.
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

func maximumMegabytes() -> Double {
  #if canImport(Darwin)
    Double(Cost.usage().ru_maxrss) / 1e6
  #else
    Double(Cost.usage().ru_maxrss) * 1_024 / 1e6
  #endif
}

let lines = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 1_000_000
let folder = FileManager.default.temporaryDirectory.appendingPathComponent("dualsend-sources-\(UUID())")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
let app = try GeneratedApp(lines: lines, in: folder)
let files = SourceFinder.files([folder.path])
let texts = SourceTexts(files)
let threads = ProcessInfo.processInfo.activeProcessorCount

let parsing = Cost {
  DispatchQueue.concurrentPerform(iterations: threads) { thread in
    for number in stride(from: thread, to: files.paths.count, by: threads) {
      if let text = texts.text(number) { _ = Parser.parse(source: text).hasError }
    }
  }
}
var found: SourceInventory?
let inventory = Cost { found = SourceInventory(texts, threads: threads) }
try FileManager.default.removeItem(at: folder)

let calls = found?.inventory.callSites ?? []
let exact = calls.count { $0.certainty == .exact }
let ratio = inventory.processor / parsing.processor
let megabytes = maximumMegabytes()
print(
  """
  \(app.lineCount) lines in \(files.paths.count) files, \(calls.count) places that log, \(exact) exact, on \(threads) threads
    parsing alone   \(parsing.text)
    inventory       \(inventory.text), \(String(format: "%.2f", ratio)) times parsing \
  (promised \(promisedRatio); target for 1,000,000 lines \(Int(targetSeconds)) s)
    memory at most  \(String(format: "%6.0f", megabytes)) MB (promised \(Int(promisedMegabytes)))
  """)
exit(ratio <= promisedRatio && megabytes <= promisedMegabytes && exact == calls.count ? 0 : 1)
