import DualSendParity

extension GuardPolicy.Measure {
  /// The number of failures, and of trials.
  func count(in event: EventParity, deadLetters: Int) -> (failures: Int, trials: Int) {
    switch self {
    case .mismatch: (event.differing, event.pairs)
    case .lost: (event.lost, event.judged)
    // An event that belongs in neither stream and is in both counts twice.
    case .unexpected: (min(event.unexpected, event.judged), event.judged)
    case .failing: (event.failing, event.judged)
    case .deadLetters: (deadLetters, max(event.judged, deadLetters))
    }
  }

  /// The verb of a sentence about failures: `3 of 4,000 differ`.
  var verb: String {
    switch self {
    case .mismatch: "differ"
    case .lost: "are lost"
    case .unexpected: "are unexpected"
    case .failing: "fail"
    case .deadLetters: "are dead letters"
    }
  }
}
