import DualSendCore

/// The places for events of one day, and who took them.
///
/// Diagnostics have places of their own, metrics have the others. A kind may also use places that the other one has not
/// used so far, but never takes them from it: the owner still gets its own places later, beyond the day's number. So a
/// full metric payload cannot keep out a crash that comes after it, and places that nothing claims are not wasted.
struct HealthBudget: Sendable {
  /// How long a budget lasts, from its first event on. One hour less than a day: MetricKit delivers metrics once a day,
  /// sometimes a little earlier than on the day before.
  static let duration = Duration.seconds(23 * 3_600)

  private let places: Counts
  private var taken = Counts()
  private var begin: Duration?

  /// Places, or events, by kind.
  struct Counts: Sendable, Hashable {
    var diagnostics = 0
    var metrics = 0

    var sum: Int { diagnostics + metrics }
  }

  /// - Parameter forDiagnostics: how many of the places are theirs; at most all.
  init(places: Int, forDiagnostics: Int) {
    let diagnostics = min(max(forDiagnostics, 0), max(places, 0))
    self.places = Counts(diagnostics: diagnostics, metrics: max(places, 0) - diagnostics)
  }

  /// Takes places for events.
  ///
  /// - Parameters:
  ///   - wanted: how many events there are.
  ///   - uptime: the time now, of a clock that is not set by hand: however the device's date jumps, a day lasts a day.
  /// - Returns: how many of them have a place.
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
