import DualSend
import DualSendCommandLine
import DualSendCore
import DualSendRollout

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
    return (tables.map(\.text) + [stampLine].compactMap { $0 }).joined(separator: "\n")
  }

  private var stampLine: String? {
    guard stamped > 0 else { return nil }
    return "\(stamped.counted("event")) carried a decision; this document decides \(decidedOtherwise.grouped) of them"
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
    var members: [String: EventValue] = ["total": total.json, "events": .byName(tallies.mapValues(\.json))]
    members["sinks"] = sinkJSON
    if stamped > 0 {
      members["stamped"] = ["events": .int(Int64(stamped)), "decidedOtherwise": .int(Int64(decidedOtherwise))]
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
  fileprivate var json: EventValue {
    let outcomes = SinkDecision.Outcome.allCases.map { outcome -> (String, EventValue) in
      let expected = Double(expectedParts(of: outcome)) / Double(RolloutBucket.count)
      return (outcome.rawValue, ["counted": .int(Int64(count(of: outcome))), "expected": .double(expected)])
    }
    return .object(Dictionary(outcomes + [("seen", .int(Int64(seen)))], uniquingKeysWith: { first, _ in first }))
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
