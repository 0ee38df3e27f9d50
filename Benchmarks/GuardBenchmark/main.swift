// Prints tables in Markdown: the error rates of the tests of `dualsend guard`, the pairs until a fault is found, the units
// and days that takes, and what a guard that counts events, or units, does where events of a unit fail together.
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
  (0.001, 0.005), (0.001, 0.01), (0.001, 0.05), (0.01, 0.02), (0.01, 0.05), (0.01, 0.1), (0.01, 0.5),
].enumerated() {
  // A breach of the first series of a step needs 2/α.
  let simulation = RateTestSimulation(SequentialRateTest(bound: bound), risk: risk / 2, batch: fine, looks: 5_000)
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

let unitRuns = 500
/// The largest share of runs with a wrong act where units are counted.
var worst = 0.0

func simulation(_ sample: String, _ limit: Double, units: Int, events: Int, looks: Int) throws -> GuardSimulation {
  let policy = """
    {"formatVersion": 1, "steps": [5, 25], "units": "\(sample)", "bounds": [{"of": "failing", "limit": "\(limit * 100)%"}]}
    """
  return GuardSimulation(try GuardPolicy(policy.utf8), units: units, eventsPerUnit: events, looks: looks)
}

func share(_ part: Int) -> String { "\(Double((part * 1_000 + unitRuns / 2) / unitRuns) / 10) %" }

print("")
print("| units × events of each, limit = true share of failing units | counted as | wrongly advanced | wrong breach |")
print("|---|---|---|---|")
for (index, (units, events)) in [(100, 100), (1_000, 100), (5_000, 100), (20_000, 20)].enumerated() {
  for sample in ["events", "units"] {
    let outcome = try simulation(sample, 0.001, units: units, events: events, looks: 50)
      .run(unitRuns, share: 0.001, seed: UInt64(index + 31))
    if sample == "units" { worst = max(worst, Double(max(outcome.advanced, outcome.broken)) / Double(unitRuns)) }
    print(
      "| \(units) × \(events), 0.1 % | \(sample) | \(share(outcome.advanced)) | \(share(outcome.broken)) |")
  }
}
for sample in ["events", "units"] {
  let outcome = try simulation(sample, 0.01, units: 1_000, events: 1, looks: 50)
    .run(unitRuns, share: 0.001, loud: 0.3, seed: 41)
  print(
    "| 1,000 × 1 and one that sends 30 %, 1 % | \(sample) | \(share(outcome.advanced)) | \(share(outcome.broken)) |")
}

print("")
print("| events of each unit | counted as | units until half of the runs break a bound of 0.1 % at 1 % | nine in ten |")
print("|---|---|---|---|")
for events in [1, 20] {
  for sample in ["events", "units"] {
    let outcome = try simulation(sample, 0.001, units: 5_000, events: events, looks: 250)
      .run(unitRuns, share: 0.01, seed: UInt64(events + 50))
    let cells = [0.5, 0.9].map { outcome.unitsUntilBroken(in: $0).map { "\($0)" } ?? "more than 5000" }
    print("| \(events) | \(sample) | \(cells[0]) | \(cells[1]) |")
  }
}

try GrowingStreams.printTable()
if worst > risk {
  print("a guard that counts units errs in more than \(percent(risk)) of the runs")
  exit(1)
}
