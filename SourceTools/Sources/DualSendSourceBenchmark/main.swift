import DualSendInventory
import DualSendSource
import Foundation
import SwiftParser
import SwiftSyntax

// `dualsend-source-benchmark [LINES]`: how long an inventory takes, beside the time that parsing alone takes in the same
// run, and the memory at most. Ends with 1 if a promise is broken.

/// What is promised: times of parsing alone on the same threads, and memory. The absolute target stands beside it.
let promisedRatio = 3.0
let promisedMegabytes = 1_000.0
let targetSeconds = 60.0

func seconds(_ body: () throws -> Void) rethrows -> Double {
  let start = DispatchTime.now()
  try body()
  return Double(DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds) / 1e9
}

func maximumMegabytes() -> Double {
  var usage = rusage()
  #if canImport(Darwin)
    getrusage(RUSAGE_SELF, &usage)
    return Double(usage.ru_maxrss) / 1e6
  #else
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return Double(usage.ru_maxrss) * 1_024 / 1e6
  #endif
}

let lines = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 1_000_000
let folder = FileManager.default.temporaryDirectory.appendingPathComponent("dualsend-sources-\(UUID())")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
let app = try GeneratedApp(lines: lines, in: folder)
let (files, _) = SourceFinder.files([folder.path])
let urls = files.map { URL(fileURLWithPath: $0) }
let texts = SourceTexts(files: urls, names: files)
let threads = ProcessInfo.processInfo.activeProcessorCount

let parsing = seconds {
  DispatchQueue.concurrentPerform(iterations: threads) { thread in
    for number in stride(from: thread, to: urls.count, by: threads) {
      if let text = texts.text(number) { _ = Parser.parse(source: text).hasError }
    }
  }
}
var found: SourceInventory?
let inventory = seconds { found = SourceInventory(texts, threads: threads, writesOut: false) }
try FileManager.default.removeItem(at: folder)

let calls = found?.inventory.callSites ?? []
let exact = calls.count { $0.certainty == .exact }
let ratio = inventory / parsing
let megabytes = maximumMegabytes()
print(
  """
  \(app.lineCount) lines in \(files.count) files, \(calls.count) places that log, \(exact) exact, on \(threads) threads
    parsing alone   \(String(format: "%6.1f", parsing)) s
    inventory       \(String(format: "%6.1f", inventory)) s, \(String(format: "%.2f", ratio)) times as long \
  (promised \(promisedRatio); target \(Int(targetSeconds)) s)
    memory at most  \(String(format: "%6.0f", megabytes)) MB (promised \(Int(promisedMegabytes)))
  """)
exit(ratio <= promisedRatio && megabytes <= promisedMegabytes && exact == calls.count ? 0 : 1)
