// Prints tables in Markdown: the error rates of the tests of `dualsend guard`, the pairs until a fault is found, the units
// and days that takes, and how often a guard errs at the limit, whenever and wherever units fail.
import DualSendGuard
import DualSendParity
import Foundation
import GuardSimulations

if CommandLine.arguments.dropFirst() == ["looks"] {
  try GrowingStreams.printTable()
  exit(0)
}

let runs = 10_000
let risk = 0.05
let batch = 1_000
let looks = 1_000

func percent(_ part: Int) -> String {
  let hundredths = (part * 10_000 + runs / 2) / runs
  return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100) %"
}

func percent(_ share: Double) -> String { "\((share * 100_000).rounded() / 1000) %" }

print("| bound = true rate | wrongly advanced | wrong breach | a fixed-sample 95 % bound at each look |")
print("|---|---|---|---|")
for (index, bound) in [0.000_1, 0.001, 0.01, 0.1].enumerated() {
  let simulation = RateTestSimulation(SequentialRateTest(bound: bound), risk: risk, batch: batch, looks: looks)
  let outcome = simulation.run(runs, share: bound, seed: UInt64(index + 1))
  let fixed = FixedSampleTest(bound: bound, risk: risk)
  let most = (1...looks).map { fixed.mostFailuresShowingBelow($0 * batch) }
  var draws = BinomialDraws(trials: batch, share: bound, seed: UInt64(index + 1))
  let naive = (0..<runs).count { _ in
    var failures = 0
    return most.contains { limit in
      failures += draws.next()
      return failures <= limit
    }
  }
  print(
    "| \(percent(bound)) | \(percent(outcome.below.count)) | \(percent(outcome.above.count)) | \(percent(naive)) |")
}

print("")
print("| true rate, bound 0.1 % | half of the runs by | nine in ten by | one planned look: half | nine in ten |")
print("|---|---|---|---|---|")
let fine = 10
for (index, share) in [0.002, 0.005, 0.01, 0.05, 0.5].enumerated() {
  let simulation = RateTestSimulation(SequentialRateTest(bound: 0.001), risk: risk, batch: fine, looks: 5_000)
  let outcome = simulation.run(runs, share: share, seed: UInt64(index + 11))
  let fixed = FixedSampleTest(bound: 0.001, risk: risk)
  let cells = [0.5, 0.9].map { outcome.trialsUntilAbove(in: $0).map { "\($0)" } ?? "more than \(fine * 5_000)" }
  let planned = [0.5, 0.9].map { "\(fixed.trialsNeeded(share: share, power: $0))" }
  print("| \(percent(share)) | " + (cells + planned).joined(separator: " | ") + " |")
}

print("")
print("| limit | units that fail | nine in ten by | days at 100 units a day | at 1,000 |")
print("|---|---|---|---|---|")
for (index, (bound, share)) in [
  (0.001, 0.002), (0.001, 0.005), (0.001, 0.01), (0.001, 0.05), (0.01, 0.02), (0.01, 0.05), (0.01, 0.1), (0.01, 0.5),
].enumerated() {
  // A breach of the first series of a step needs 2/α, of the part of α that it has after its first day.
  let own = risk / 2 * (1 - GuardJudgement.youngPart)
  let simulation = RateTestSimulation(SequentialRateTest(bound: bound), risk: own, batch: fine, looks: 5_000)
  guard let units = simulation.run(runs, share: share, seed: UInt64(index + 21)).trialsUntilAbove(in: 0.9) else {
    continue
  }
  let days = [100, 1_000].map { "\((units + $0 - 1) / $0)" }.joined(separator: " | ")
  print("| \(percent(bound)) | \(percent(share)) | \(units) | \(days) |")
}
for bound in [0.001, 0.01] {
  let units = SequentialRateTest(bound: bound).trialsNeeded(level: -ReproducibleMath.log(risk))
  print("\(percent(bound)) is shown by \(units) units without a failure")
}

let unitRuns = 400
/// The largest share of runs with a wrong act.
var worst = 0.0

func share(_ part: Int) -> String { "\(Double((part * 1_000 + unitRuns / 2) / unitRuns) / 10) %" }

print("")
print("| units, limit = true share | fault from hour | name | of | advanced | broken | twice the limit: stopped |")
print("|---|---|---|---|---|---|---|")
for (limit, units) in [(FailingLimit.perMille, 20_000), (FailingLimit("1%") ?? .none, 2_000)] {
  for (index, fault) in GuardSimulation.Fault.all.enumerated() {
    let outcome = try GuardSimulation(limit: limit, units: units, fault: fault)
      .run(unitRuns, share: limit.fraction, seed: UInt64(index + 31))
    let twice = try GuardSimulation(limit: limit, units: 3 * units, fault: fault)
      .run(unitRuns, share: 2 * limit.fraction, seed: UInt64(index + 61))
    worst = max(worst, Double(max(outcome.advanced.count, outcome.broken.count)) / Double(unitRuns))
    print(
      "| \(units), \(limit) | \(fault.hour) | \(fault.name) | \(fault.part.rawValue) | "
        + "\(share(outcome.advanced.count)) | \(share(outcome.broken.count)) | \(share(twice.broken.count)) |")
  }
}

print("")
print("| limit | units that fail | units a day | nine in ten by hour | the units of the table above, and six hours |")
print("|---|---|---|---|---|")
/// Whether each fault was found in time.
var isInTime = true
for (limit, share, units) in [
  (FailingLimit.perMille, 0.002, 29_520), (FailingLimit.perMille, 0.005, 2_730),
  (FailingLimit("1%") ?? .none, 0.02, 2_950),
] {
  let outcome = try GuardSimulation(limit: limit, units: units * 2, days: Double(units * 2) / 1_000)
    .run(unitRuns, share: share, seed: 81)
  let (found, hours) = (outcome.hoursUntilBroken(in: 0.9) ?? .max, units * 24 / 1_000 + 6)
  if found > hours { isInTime = false }
  print("| \(limit) | \(percent(share)) | 1,000 | \(found) | \(hours) |")
}

try GrowingStreams.printTable()
if worst > risk || !isInTime {
  print("a guard errs in more than \(percent(risk)) of the runs, or finds a fault later than its article says")
  exit(1)
}
