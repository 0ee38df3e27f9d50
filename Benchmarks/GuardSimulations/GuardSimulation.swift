import DualSendCore
import DualSendGuard
package import DualSendParity

/// Simulates a step of a policy, with the judgement that ``Guard`` uses. A look takes place every hour.
package struct GuardSimulation: Sendable {
  /// A fault of some units: from an hour of the step on, each of their events of one name fails.
  package struct Fault: Sendable, Hashable {
    /// The units that may fail. `active` and `inactive` are halves, with 46 and 2 events a day; all together have 24.
    package enum Part: String, Sendable, Hashable { case all, active, inactive }

    package var hour = 0
    /// The place of the name among those that each unit logs, in order, over and over.
    package var name = 1
    package var part = Part.all

    package init(hour: Int = 0, name: Int = 1, part: Part = .all) {
      (self.hour, self.name, self.part) = (hour, name, part)
    }

    /// Those that a guard must judge rightly at the limit.
    package static let all =
      [0, 1, 12, 36].map { Fault(hour: $0) } + [2, 5, 9, 12, 20].map { Fault(name: $0) } + [
        Fault(part: .active), Fault(part: .inactive), Fault(hour: 12, part: .active), Fault(hour: 12, part: .inactive),
        Fault(hour: 36, name: 12),
      ]
  }

  /// What the runs of a step ended in.
  package struct Outcome: Sendable, Hashable {
    package let runs: Int
    /// The hours after which a run ended in the next step, sorted.
    package var advanced: [Int] = []
    /// The hours after which a run ended in a broken bound, sorted.
    package var broken: [Int] = []

    /// The hours until a share of the runs broke a bound; `nil` if fewer runs did.
    package func hoursUntilBroken(in share: Double) -> Int? {
      let index = Int((share * Double(runs)).rounded(.up)) - 1
      return broken.indices.contains(index) ? broken[index] : nil
    }
  }

  private let policy: GuardPolicy
  private let units: Int
  private let days: Double
  private let fault: Fault

  /// - Parameters:
  ///   - limit: of the units that may fail, for all names together.
  ///   - units: the units of the step.
  ///   - days: the units begin at any time of so many days; 0 if all have the step from its beginning.
  package init(limit: FailingLimit, units: Int, days: Double = 0, fault: Fault = Fault()) throws {
    let bound = #"{"of": "failing", "limit": "\#(limit.description.replacing(" ", with: ""))", "together": true}"#
    policy = try GuardPolicy(#"{"formatVersion": 1, "steps": [5, 100], "bounds": [\#(bound)]}"#.utf8)
    (self.units, self.days, self.fault) = (units, days, fault)
  }

  /// Simulates runs of a step, each until the guard acts.
  ///
  /// - Parameter share: the share of all units that fail.
  package func run(_ runs: Int, share: Double, seed: UInt64) -> Outcome {
    var random = SplitMix64(seed: seed)
    var outcome = Outcome(runs: runs)
    for _ in 0..<runs { step(share, &random, &outcome) }
    outcome.advanced.sort()
    outcome.broken.sort()
    return outcome
  }

  private func step(_ share: Double, _ random: inout SplitMix64, _ outcome: inout Outcome) {
    var (begun, failed, good) = (Times(), Times(), Times())
    for unit in 0..<units {
      let isActive = unit.isMultiple(of: 2)
      let rate = fault.part == .all ? 1 : isActive ? 46.0 / 24 : 2.0 / 24
      let mayFail = fault.part == .all || isActive == (fault.part == .active)
      func pause() -> Double { -ReproducibleMath.log(1 - random.fraction()) / rate }
      var time = days * 24 * random.fraction() + pause()
      begun.hours.append(time)
      guard mayFail, random.fraction() < (fault.part == .all ? share : 2 * share) else {
        good.hours.append(time)
        continue
      }
      var number = 1
      while time < Double(fault.hour) || !number.isMultiple(of: fault.name) {
        time += pause()
        number += 1
      }
      failed.hours.append(time)
    }
    begun.hours.sort()
    failed.hours.sort()
    good.hours.sort()
    let hour: Int64 = 3_600_000
    let maturity = Int(policy.maturity / hour)
    // A fault that begins after the end of a step is one of the next.
    let hold = max(24, fault.hour + 12)
    let last = max(Int(days * 24), hold) + 96
    for now in 1...last {
      var count = TrialCount()
      count.failures = failed.count(until: now)
      count.trials = begun.count(until: now)
      count.watched = count.failures + good.count(until: now - maturity)
      count.since = begun.hours.first.map { Int64($0 * Double(hour)) }
      let judgement = GuardJudgement(by: policy, at: Int64(now) * hour, seen: []) { _ in [("all", count)] }
      if !judgement.breaches.isEmpty { return outcome.broken.append(now) }
      if now >= hold, judgement.unshown.isEmpty { return outcome.advanced.append(now) }
    }
  }
}

/// Sorted times.
private struct Times {
  var hours: [Double] = []

  func count(until hour: Int) -> Int {
    var (low, high) = (0, hours.count)
    while low < high {
      let middle = (low + high) / 2
      if hours[middle] <= Double(hour) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
