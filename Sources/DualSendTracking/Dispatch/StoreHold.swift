/// The dispatcher's store, before, while and after it is open.
enum StoreHold {
  case notOpen
  case open(any TrackingDataStore)
  /// Closed permanently; its last ledger.
  case letGo(TrackingLedger)

  var store: (any TrackingDataStore)? {
    if case .open(let store) = self { store } else { nil }
  }

  /// The store's current or last ledger; all 0 if it cannot be read.
  var ledger: TrackingLedger {
    switch self {
    case .notOpen: TrackingLedger()
    case .open(let store): (try? store.ledger()) ?? TrackingLedger()
    case .letGo(let ledger): ledger
    }
  }

  /// Releases the store and keeps its ledger.
  mutating func letGo() {
    self = .letGo(ledger)
  }
}
