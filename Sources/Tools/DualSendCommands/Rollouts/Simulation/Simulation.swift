import DualSend
import DualSendCommandLine
import DualSendCore
import DualSendRollout
import DualSendRolloutAnalysis

/// Decides events by a rollout, and counts the outcomes beside the expected ones.
struct Simulation {
  /// The outcomes of a group of events.
  struct Tally {
    private(set) var seen = 0
    private var counted: [SinkDecision.Outcome: Int] = [:]
    private var buckets: [SinkDecision.Outcome: Int] = [:]

    /// How many events had an outcome.
    func count(of outcome: SinkDecision.Outcome) -> Int { counted[outcome] ?? 0 }

    /// How many events are to be expected with an outcome, in parts of ``RolloutBucket/count``: exact, whatever the units.
    func expectedParts(of outcome: SinkDecision.Outcome) -> Int { buckets[outcome] ?? 0 }

    mutating func add(_ outcome: SinkDecision.Outcome, expecting expectation: [SinkDecision.Outcome: Int]) {
      seen += 1
      counted[outcome, default: 0] += 1
      buckets.merge(expectation, uniquingKeysWith: +)
    }

    static func + (left: Tally, right: Tally) -> Tally {
      var sum = left
      sum.seen += right.seen
      sum.counted.merge(right.counted, uniquingKeysWith: +)
      sum.buckets.merge(right.buckets, uniquingKeysWith: +)
      return sum
    }
  }

  private let snapshot: RolloutSnapshot
  /// By event name.
  private(set) var tallies: [ExactText: Tally] = [:]
  /// The sum over all names for each sink that the document names, in order.
  private(set) var sinks: [(sink: RolloutSink, tally: SinkTally)]

  init(_ snapshot: RolloutSnapshot) {
    self.snapshot = snapshot
    sinks = (snapshot.document?.sinks ?? []).map(\.sink).sorted().map { ($0, SinkTally()) }
  }

  /// The events with their app's decision, and those for which the document decides otherwise.
  private(set) var carried = 0
  private(set) var decidedOtherwise = 0

  /// The sum over all names.
  var total: Tally { tallies.values.reduce(Tally(), +) }

  /// Decides one event. Without a unit ID, the expectation is the outcome.
  ///
  /// - Parameter decision: the app's decision, if known.
  mutating func add(_ name: String, context: DecisionContext, decision: CarriedDecision? = nil) {
    let outcome = snapshot.decision(for: name, context: context).outcome
    if let decision {
      carried += 1
      let decided = SinkDecision.Outcome(oldLogger: decision.oldLogger, newTracker: decision.newTracker)
      if decided != outcome { decidedOtherwise += 1 }
    }
    var expectation = [outcome: RolloutBucket.count]
    if context.unitID != nil, let intervals = snapshot.expectation(for: name, context: context) {
      expectation = Dictionary(
        uniqueKeysWithValues: SinkDecision.Outcome.allCases.map { ($0, intervals.buckets(of: $0).count) })
    }
    tallies[ExactText(name), default: Tally()].add(outcome, expecting: expectation)
    for index in sinks.indices { addToSink(index, name, context) }
  }

  private mutating func addToSink(_ index: Int, _ name: String, _ context: DecisionContext) {
    let sink = sinks[index].sink
    let isReceived = snapshot.receives(sink.id, on: sink.side, event: name, context: context)
    var expected = isReceived ? RolloutBucket.count : 0
    if context.unitID != nil, let reach = snapshot.reach(of: sink, event: name, context: context) {
      expected = reach.buckets.count
    }
    sinks[index].tally.add(isReceived, expecting: expected)
  }
}

// MARK: - Sinks

extension Simulation {
  /// One row per named sink, with the counted and the expected events; `nil` if the document names none.
  var sinkTable: TextTable? {
    if sinks.isEmpty { return nil }
    let seen = total.seen
    var table = TextTable([
      .words("sink"), .words("side"), .numbers("events"), .numbers("counted"), .numbers("expected"),
    ])
    for (sink, tally) in sinks {
      table.addRow([
        sink.id, sink.side.rawValue, tally.received.grouped, tally.received.percentage(of: seen),
        tally.expectedParts.percentage(of: seen * RolloutBucket.count),
      ])
    }
    return table
  }

  /// The same as JSON.
  var sinkJSON: EventValue? {
    if sinks.isEmpty { return nil }
    return .array(
      sinks.map { sink, tally in
        [
          "sink": .string(sink.id), "side": .string(sink.side.rawValue), "counted": .int(Int64(tally.received)),
          "expected": .double(Double(tally.expectedParts) / Double(RolloutBucket.count)),
        ]
      })
  }
}

/// The counted and the expected events of one named sink.
struct SinkTally {
  /// The number of events that the sink would have received.
  private(set) var received = 0
  /// The expected number of events, in parts of ``RolloutBucket/count``. Does not depend on the units.
  private(set) var expectedParts = 0

  mutating func add(_ isReceived: Bool, expecting parts: Int) {
    if isReceived { received += 1 }
    expectedParts += parts
  }
}

// MARK: - Rendering

extension Simulation {
  /// The narrowest and the widest bar.
  private static let barWidths = 12...60
  /// The bar's width without a terminal.
  private static let fixedBarWidth = 24

  /// One row per event name with a bar, then the counted and the expected outcomes.
  ///
  /// - Parameter columns: the terminal's width; `nil` without a terminal.
  func text(columns: Int?) -> String {
    let plain = chart(barWidth: 0).text.split(separator: "\n").reduce(0) { max($0, String($1).terminalWidth) }
    let room = columns.map { $0 - plain - 2 } ?? Self.fixedBarWidth
    let width = min(max(room, Self.barWidths.lowerBound), Self.barWidths.upperBound)
    let tables = [chart(barWidth: width), comparison] + [sinkTable].compactMap { $0 }
    return (tables.map(\.text) + [carriedLine].compactMap { $0 }).joined(separator: "\n")
  }

  private var carriedLine: String? {
    guard carried > 0 else { return nil }
    return "\(carried.counted("event")) carried a decision; this document decides \(decidedOtherwise.grouped) of them"
      + " otherwise\n"
  }

  private func chart(barWidth: Int) -> TextTable {
    let outcomes = shownOutcomes
    var columns: [TextTable.Column] = [.words("event"), .numbers("seen")]
    columns += outcomes.map { .numbers($0.words) } + [.numbers("to new"), .numbers("expected")]
    if barWidth > 0 {
      columns.append(.words(outcomes.map { "\($0.symbol) \($0.words)" }.joined(separator: " ")))
    }
    var table = TextTable(columns)
    for (name, tally) in tallies.sorted(by: { $0.key < $1.key }) {
      table.addRow([name.text] + tally.cells(outcomes, barWidth: barWidth))
    }
    table.addRule()
    table.addRow(["total"] + total.cells(outcomes, barWidth: barWidth))
    return table
  }

  /// The outcomes that are counted or expected anywhere.
  private var shownOutcomes: [SinkDecision.Outcome] {
    let total = total
    return SinkDecision.Outcome.allCases.filter { total.count(of: $0) + total.expectedParts(of: $0) > 0 }
  }

  private var comparison: TextTable {
    let total = total
    var table = TextTable([.words("outcome"), .numbers("events"), .numbers("counted"), .numbers("expected")])
    for outcome in SinkDecision.Outcome.allCases {
      table.addRow([
        outcome.words, total.count(of: outcome).grouped, total.count(of: outcome).percentage(of: total.seen),
        total.expectedParts(of: outcome).percentage(of: total.seen * RolloutBucket.count),
      ])
    }
    return table
  }

  var json: EventValue {
    let events = tallies.sorted { $0.key < $1.key }.map { name, tally in
      EventValue.object(tally.members.merging(["name": .string(name.text)], uniquingKeysWith: { $1 }))
    }
    var members: [String: EventValue] = ["total": .object(total.members), "events": .array(events)]
    members["sinks"] = sinkJSON
    if carried > 0 {
      members["carried"] = ["events": .int(Int64(carried)), "decidedOtherwise": .int(Int64(decidedOtherwise))]
    }
    return .object(members)
  }
}

extension Simulation.Tally {
  fileprivate func cells(_ outcomes: [SinkDecision.Outcome], barWidth: Int) -> [String] {
    let toNew = SinkDecision.Outcome.allCases.filter(\.includesNewTracker)
    let counted = toNew.reduce(0) { $0 + count(of: $1) }
    let expected = toNew.reduce(0) { $0 + expectedParts(of: $1) }
    let parts = outcomes.map { ShareBar.Part(symbol: $0.symbol, count: count(of: $0)) }
    return [seen.grouped] + outcomes.map { count(of: $0).grouped }
      + [counted.percentage(of: seen), expected.percentage(of: seen * RolloutBucket.count)]
      + [ShareBar.text(parts, width: barWidth)]
  }

  /// `expected` is a number of events, and may be a fraction.
  fileprivate var members: [String: EventValue] {
    let outcomes = SinkDecision.Outcome.allCases.map { outcome -> (String, EventValue) in
      let expected = Double(expectedParts(of: outcome)) / Double(RolloutBucket.count)
      return (outcome.rawValue, ["counted": .int(Int64(count(of: outcome))), "expected": .double(expected)])
    }
    return Dictionary(outcomes + [("seen", .int(Int64(seen)))], uniquingKeysWith: { first, _ in first })
  }
}

extension SinkDecision.Outcome {
  fileprivate var symbol: Character {
    switch self {
    case .oldOnly: "░"
    case .both: "▒"
    case .newOnly: "█"
    case .neither: "·"
    }
  }
}

/// A one-line bar whose parts are proportional to their counts.
struct ShareBar {
  /// One part of the bar.
  struct Part {
    let symbol: Character
    let count: Int
  }

  /// The bar; empty if all counts are 0.
  ///
  /// Each part ends at the rounded sum of the parts so far, so the bar has exactly the given width.
  static func text(_ parts: [Part], width: Int) -> String {
    let total = parts.reduce(0) { $0 + $1.count }
    guard total > 0 else { return "" }
    var text = ""
    var sum = 0
    for part in parts {
      sum += part.count
      let end = Int((Double(sum) / Double(total) * Double(width)).rounded())
      text += String(repeating: part.symbol, count: end - text.count)
    }
    return text
  }
}
