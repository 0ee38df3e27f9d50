import DualSendParity

extension GuardPolicy.Measure {
  /// The failures, and among how many.
  func count(in event: EventParity) -> (failures: Int, trials: Int) {
    switch self {
    case .mismatch: (event.differing, event.pairs)
    case .lost: (event.lost, event.judged)
    // An event that belongs in neither stream and stands in both counts twice.
    case .unexpected: (min(event.unexpected, event.judged), event.judged)
    case .failing: (event.failing, event.judged)
    }
  }

  /// What failures of this kind do: `3 of 4,000 differ`.
  var verb: String {
    switch self {
    case .mismatch: "differ"
    case .lost: "are lost"
    case .unexpected: "are unexpected"
    case .failing: "fail"
    }
  }
}
