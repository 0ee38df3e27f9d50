import DualSendCore
import Foundation
import Logging

/// How long the fault tests go on, and from which seed: short by default, long under `scripts/check faults`.
struct FaultRun {
  /// How many times as many rounds as in a short run.
  static let factor = number("DUALSEND_FAULT_FACTOR") ?? 1
  /// Whether this is a run of its own and not part of all tests.
  static var isLong: Bool { factor > 1 }
  /// The seed of every test; another one each day would hide a failure that a change has brought.
  static let seed = UInt64(number("DUALSEND_FAULT_SEED") ?? 1)

  /// Prints one figure of the run, for the script to collect.
  static func report(_ line: String) {
    print("fault-run: \(line)")
  }

  /// Text that hardly becomes shorter when it is compressed, so that it fills disks and pages.
  static func text(_ bytes: Int, seed: Int) -> String {
    var random = SplitMix64(seed: UInt64(seed))
    let words = (0...bytes / 10).map { _ in random.next() }
    return String(words.withUnsafeBytes { Data($0) }.base64EncodedString().prefix(bytes))
  }

  private static func number(_ variable: String) -> Int? {
    ProcessInfo.processInfo.environment[variable].flatMap { Int($0) }
  }
}

extension Logger {
  /// Faults are what these tests make: nobody needs to read of each.
  static let silent = Logger(label: "fault-tests") { _ in SwiftLogNoOpLogHandler() }
}

/// A folder that is gone after the test.
final class TemporaryFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("dualsend-faults-\(UUID())")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  func file(_ name: String) -> URL { url.appendingPathComponent(name) }
}
