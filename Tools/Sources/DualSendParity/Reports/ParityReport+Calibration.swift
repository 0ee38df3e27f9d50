import DualSendCore

extension ParityReport {
  /// This report without the noise that two recordings of the old stream show.
  ///
  /// Values such as times and random ids differ between any two recordings. A field that differs in `n` of `m` pairs of the
  /// baseline is expected to differ in the share `n/m` of the pairs here; that number, rounded up, is subtracted. The same
  /// applies to pairs as a whole.
  ///
  /// - Parameter baseline: a comparison of two recordings of the old stream.
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
