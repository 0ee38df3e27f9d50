import DualSendCore

extension ParityReport {
  /// This report with the noise taken off that comparing old with old again found.
  ///
  /// Times, random ids and the like differ between any two recordings. A field that differs in `n` of `m` pairs without any
  /// migration is expected to differ in `n/m` of the pairs here; that many, rounded up, are not held against it. The same
  /// is done for pairs as a whole.
  ///
  /// - Parameter baseline: the report of the old stream against another recording of it.
  package func calibrated(by baseline: ParityReport) -> ParityReport {
    let noise = Dictionary(baseline.events.map { (ExactText($0.name), $0) }, uniquingKeysWith: { first, _ in first })
    var calibrated = self
    calibrated.isCalibrated = true
    for index in calibrated.events.indices {
      guard let baseline = noise[ExactText(calibrated.events[index].name)] else { continue }
      calibrated.events[index].calibrate(by: baseline)
    }
    return calibrated
  }
}

extension EventParity {
  fileprivate mutating func calibrate(by baseline: EventParity) {
    noise = share(baseline.differingBeforeNoise, of: baseline.pairs, in: pairs)
    let noise = Dictionary(
      baseline.fields.map { (ExactText($0.path), $0.counts) }, uniquingKeysWith: { first, _ in first })
    for index in fields.indices {
      guard let counts = noise[ExactText(fields[index].path)] else { continue }
      fields[index].noise = share(counts.mismatches, of: counts.compared, in: fields[index].counts.compared)
    }
  }

  /// `part / whole · count`, rounded up.
  private func share(_ part: Int, of whole: Int, in count: Int) -> Int {
    guard whole > 0 else { return 0 }
    let (quotient, remainder) = whole.dividingFullWidth(count.multipliedFullWidth(by: min(part, whole)))
    return quotient + (remainder > 0 ? 1 : 0)
  }
}
