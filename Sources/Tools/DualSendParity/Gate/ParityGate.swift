import DualSendCore

/// How much of an event may fail parity, and how surely that has to be shown.
///
/// An event passes if the upper bound of Clopper and Pearson for its share of failures is within the limit: were the true
/// share above it, a recording would pass with at most 5 % chance. A limit of 0 % cannot be shown by any number of pairs;
/// there an event passes if no failure was seen.
package struct ParityGate: Sendable, Hashable {
  /// The chance that an event passes whose true share of failures is above the limit.
  private static let risk = 0.05

  /// What the certainty of each name means for all of them together.
  func certainty(ofAll names: Int) -> String {
    let tenths = Int((Double(names) * Self.risk * 10).rounded())
    return
      "95 % holds for each name by itself: of \(names.grouped) just above the limit, \(tenths / 10).\(tenths % 10) would pass "
      + "by chance on average"
  }

  /// How many broken lines are allowed, as a sentence.
  package var allowance: String {
    maximumMalformed == 0 ? "no line may be broken" : "at most \(maximumMalformed.counted("line")) may be broken"
  }

  /// The largest share of each event that may differ, or be lost, unexpected or of an unknown unit.
  package var limit: FailingLimit
  /// How often a growing recording is looked at until it passes, at least 1. Every look is another chance to pass, so they
  /// share the risk (Bonferroni).
  package var looks: Int
  /// How many broken lines both streams may have.
  package var maximumMalformed: Int
  /// Whether events are counted where they do not name their units, as if none failed because of another.
  package var countsEvents: Bool

  package init(
    limit: FailingLimit = .none, looks: Int = 1, maximumMalformed: Int = 0, countsEvents: Bool = false
  ) {
    (self.limit, self.looks, self.maximumMalformed) = (limit, looks, maximumMalformed)
    self.countsEvents = countsEvents
  }

  /// The units of an event, which fail if any of its events does; `nil` if its events are counted.
  ///
  /// A limit of 0 needs no sample. Units cannot be counted if more events than the limit allows do not name theirs, or if
  /// noise is subtracted.
  func units(of event: EventParity) -> UnitTotals? {
    guard limit != .none, event.noise == 0, let units = event.unitTotals, units.judged > 0,
      !limit.isExceeded(by: units.withoutUnit, of: event.judged)
    else { return nil }
    return units
  }

  /// How many fail, of how many trials.
  func sample(of event: EventParity) -> (failing: Int, judged: Int) {
    units(of: event).map { ($0.failing, $0.judged) } ?? (event.failing, event.judged)
  }

  var bound: BinomialBound { BinomialBound(risk: Self.risk / Double(looks)) }

  /// The upper bound of the share that fails, as a fraction of 1.
  package func upperBound(failures: Int, of judged: Int) -> Double {
    bound.upper(failures: failures, of: judged)
  }

  /// What is to be said of an event. Pairs that were not compared may all differ, so an event with one never passes.
  package func verdict(on event: EventParity) -> ParityVerdict {
    let (failures, judged) = sample(of: event)
    guard judged > 0 else { return .nothingJudged }
    if limit.isExceeded(by: failures, of: judged) { return .tooManyFailures }
    if limit == .none || bound.isAtMost(limit.fraction, failures: failures, of: judged) {
      if event.uncompared > 0 { return .nothingJudged }
      return isSampled(event) ? .passes : .eventsCounted
    }
    return .tooLittleEvidence(needed: bound.trialsNeeded(failures: failures, share: limit.fraction))
  }

  /// Whether what was counted is evidence for the limit.
  private func isSampled(_ event: EventParity) -> Bool {
    countsEvents || limit == .none || limit.partsPerMillion == 1_000_000 || units(of: event) != nil
  }

  /// Holds a whole report against the limit, event by event.
  package func judgement(on report: ParityReport) -> ParityJudgement {
    ParityJudgement(report, by: self)
  }
}

extension ParityGate: CustomStringConvertible {
  /// What is asked of an event.
  package var description: String {
    if limit == .none { return "no failure is seen" }
    let certainty = looks == 1 ? "95 % certainty" : "95 % certainty over \(looks) looks"
    return "at most \(limit) fail, with \(certainty)"
  }
}

/// What the gate says of one event.
package enum ParityVerdict: Sendable, Hashable {
  case passes
  /// A larger share fails than the limit allows.
  case tooManyFailures
  /// The share that fails is within the limit, but the true one might not be; `needed` is how many events would show that
  /// it is, if none more failed, `nil` if no number would.
  case tooLittleEvidence(needed: Int?)
  /// Enough events pass, but they do not name their units, and events of one unit fail together.
  case eventsCounted
  /// Nothing of the event was there to be judged.
  case nothingJudged

  /// The verdict by the word that JSON has for it.
  package var word: String {
    switch self {
    case .passes: "passes"
    case .tooManyFailures: "tooManyFailures"
    case .tooLittleEvidence: "tooLittleEvidence"
    case .eventsCounted: "eventsCounted"
    case .nothingJudged: "nothingJudged"
    }
  }
}

// MARK: - Failing limit

/// The largest share of an event that may fail parity, exact to a millionth.
package struct FailingLimit: Sendable, Hashable {
  /// Parts in a million, 0…1,000,000.
  package let partsPerMillion: Int

  /// None that is seen may fail. No number of pairs shows that none ever does, so this asks for no evidence.
  package static let none = FailingLimit(unchecked: 0)
  /// One of a thousand.
  package static let perMille = FailingLimit(unchecked: 1000)

  /// Reads `0.1%`, or `0.001` without the sign; `nil` outside 0…100 % or with digits finer than a millionth.
  package init?(_ text: some StringProtocol) {
    let isPercentage = text.hasSuffix("%")
    let parts = text.dropLast(isPercentage ? 1 : 0).split(separator: ".", omittingEmptySubsequences: false)
    let places = isPercentage ? 4 : 6
    guard let whole = parts.first, parts.count <= 2, !whole.isEmpty, whole.count <= 3 else { return nil }
    let fraction = parts.count == 2 ? String(parts[1]) : "0"
    guard (1...places).contains(fraction.utf8.count), (whole + fraction).utf8.allSatisfy({ (48...57).contains($0) }),
      let parts = Int(whole + fraction + String(repeating: "0", count: places - fraction.utf8.count)),
      parts <= 1_000_000
    else { return nil }
    partsPerMillion = parts
  }

  /// The smallest limit in hundredths of a percent that a fraction does not exceed.
  init(roundingUp fraction: Double) {
    partsPerMillion = min(Int((fraction * 10_000).rounded(.up)) * 100, 1_000_000)
  }

  private init(unchecked partsPerMillion: Int) {
    self.partsPerMillion = partsPerMillion
  }

  /// The limit as a fraction of 1.
  package var fraction: Double { Double(partsPerMillion) / 1_000_000 }

  /// Whether `part` of `whole` is more than this limit.
  package func isExceeded(by part: Int, of whole: Int) -> Bool {
    // Both products in full width: counts near Int.max must not wrap into a pass.
    let left = part.multipliedFullWidth(by: 1_000_000)
    let right = whole.multipliedFullWidth(by: partsPerMillion)
    return (left.high, left.low) > (right.high, right.low)
  }
}

extension FailingLimit: CustomStringConvertible {
  /// The limit as a percentage: `0.1 %`.
  package var description: String {
    let fraction = String(String(10_000 + partsPerMillion % 10_000).dropFirst())
    let digits = fraction.replacing(/0+$/, with: "")
    return "\(partsPerMillion / 10_000)" + (digits.isEmpty ? "" : "." + digits) + " %"
  }
}
