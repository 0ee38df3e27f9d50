/// The store as the dispatcher has it.
enum StoreHold {
  case notOpen
  case open(any TrackingDataStore)
  /// Let go of for good; what its ledger said then.
  case letGo(TrackingLedger)

  var store: (any TrackingDataStore)? {
    if case .open(let store) = self { store } else { nil }
  }

  /// What the store's ledger says, or said; all 0 if it cannot be asked.
  var ledger: TrackingLedger {
    switch self {
    case .notOpen: TrackingLedger()
    case .open(let store): (try? store.ledger()) ?? TrackingLedger()
    case .letGo(let ledger): ledger
    }
  }

  /// Closes the store if nobody else holds it.
  mutating func letGo() {
    self = .letGo(ledger)
  }
}
