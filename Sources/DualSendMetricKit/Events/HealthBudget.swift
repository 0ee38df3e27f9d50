import DualSendCore

/// Limits the events of one day, by kind.
///
/// Diagnostics have reserved places, metrics the others. Each kind may borrow unused places of the other, but keeps its
/// own: the owner can still use its full number later, beyond the daily limit. A full metric payload therefore cannot
/// keep out a later crash, and no place is wasted.
struct HealthBudget: Sendable {
  /// How long a budget lasts from its first event. One hour less than a day, because MetricKit's daily delivery is
  /// sometimes a little early.
  static let duration = Duration.seconds(23 * 3_600)

  private let places: Counts
  private var taken = Counts()
  private var begin: Duration?

  /// Counts by kind.
  struct Counts: Sendable, Hashable {
    var diagnostics = 0
    var metrics = 0

    var sum: Int { diagnostics + metrics }
  }

  /// - Parameter forDiagnostics: how many places are reserved for diagnostics; at most all.
  init(places: Int, forDiagnostics: Int) {
    let diagnostics = min(max(forDiagnostics, 0), max(places, 0))
    self.places = Counts(diagnostics: diagnostics, metrics: max(places, 0) - diagnostics)
  }

  /// Takes places for events.
  ///
  /// - Parameters:
  ///   - wanted: the number of events.
  ///   - uptime: the current uptime, which does not depend on the device's date.
  /// - Returns: how many of them may be sent.
  mutating func take(_ wanted: Counts, at uptime: Duration) -> Counts {
    if let begin, uptime - begin >= Self.duration {
      taken = Counts()
      self.begin = nil
    }
    var granted = Counts(
      diagnostics: min(wanted.diagnostics, max(places.diagnostics - taken.diagnostics, 0)),
      metrics: min(wanted.metrics, max(places.metrics - taken.metrics, 0)))
    let lendable = max(places.sum - taken.sum - granted.sum, 0)
    let lent = min(wanted.diagnostics - granted.diagnostics, lendable)
    granted.diagnostics += lent
    granted.metrics += min(wanted.metrics - granted.metrics, lendable - lent)
    taken.diagnostics += granted.diagnostics
    taken.metrics += granted.metrics
    if begin == nil, granted.sum > 0 { begin = uptime }
    return granted
  }
}
