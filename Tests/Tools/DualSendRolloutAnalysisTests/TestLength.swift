import Foundation

/// How many random documents the tests try: few at a push, more with `DUALSEND_TEST_FACTOR` in the nightly run.
enum TestLength {
  static let factor = ProcessInfo.processInfo.environment["DUALSEND_TEST_FACTOR"].flatMap { Int($0) } ?? 1
}
