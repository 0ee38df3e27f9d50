import DualSendCore

/// The state of the store: its last failure, the number of failures in a row, and the wait before the next attempt.
struct StoreHealth {
  /// The wait before the next attempt: 0.1 s, doubled up to a minute.
  private static let backoff = RetryBackoff(shape: .ladder, base: .milliseconds(100), cap: .seconds(60))

  /// The failure that suspends the use of the store; `nil` if it may be used.
  private(set) var failure: TrackingStoreError?
  private var failuresInARow = 0

  /// Whether the last failure followed a success.
  var isFirstFailure: Bool { failuresInARow == 1 }

  /// The wait before the next attempt; `nil` if the store may be used.
  var retryDelay: Duration? {
    guard failure != nil else { return nil }
    return Self.backoff.delay(afterFailures: failuresInARow) { 1 } ?? .zero
  }

  /// Records a success.
  mutating func succeeded() {
    failure = nil
    failuresInARow = 0
  }

  /// Records a failure.
  mutating func failed(_ error: TrackingStoreError) {
    failure = error
    failuresInARow += 1
  }

  /// Records that a failed store could not be replaced. Counts as the same failure.
  mutating func replacementFailed(_ error: TrackingStoreError) {
    failure = error
  }

  /// Allows another attempt. If it fails too, the wait grows.
  mutating func tryAgain() {
    failure = nil
  }
}

/// The dispatcher's store, before, while and after it is open.
enum StoreState {
  case notOpen
  case open(any TrackingDataStore)
  /// Closed permanently; its last ledger.
  case closed(TrackingLedger)

  var store: (any TrackingDataStore)? {
    if case .open(let store) = self { store } else { nil }
  }

  /// The store's current or last ledger; all 0 if it cannot be read.
  var ledger: TrackingLedger {
    switch self {
    case .notOpen: TrackingLedger()
    case .open(let store): (try? store.ledger()) ?? TrackingLedger()
    case .closed(let ledger): ledger
    }
  }

  /// Releases the store and keeps its ledger.
  mutating func close() {
    let store = store
    self = .closed(ledger)
    store?.close()
  }
}
