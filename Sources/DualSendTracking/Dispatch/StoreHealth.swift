import DualSendCore

/// How the store does: what its last failure was, how many came in a row, and how long to wait before it is tried again.
struct StoreHealth {
  /// The wait before the store is tried again: 0.1 s, doubled up to a minute.
  private static let backoff = RetryBackoff(shape: .ladder, base: .milliseconds(100), cap: .seconds(60))

  /// Why the store is left alone for now; `nil` if it may be used.
  private(set) var failure: TrackingStoreError?
  private var failuresInARow = 0

  /// Whether the last failure followed a success.
  var isFirstFailure: Bool { failuresInARow == 1 }

  /// How long to wait before the store is tried again; `nil` if it may be used.
  var retryDelay: Duration? {
    guard failure != nil else { return nil }
    return Self.backoff.delay(afterFailures: failuresInARow) { 1 } ?? .zero
  }

  /// Notes that the store did what it was asked to.
  mutating func works() {
    failure = nil
    failuresInARow = 0
  }

  /// Notes a failure.
  mutating func failed(_ error: TrackingStoreError) {
    failure = error
    failuresInARow += 1
  }

  /// Notes that a failed store could not be replaced either; that counts as the same failure.
  mutating func replacementFailed(_ error: TrackingStoreError) {
    failure = error
  }

  /// Allows another try. If it fails too, the wait is longer than before.
  mutating func tryAgain() {
    failure = nil
  }
}
