import DualSend
import DualSendCommandLine
import DualSendCore
import DualSendRollout
import DualSendRolloutAnalysis

/// The sinks that a rollout document names, each with the share of units that it receives.
struct NamedSinks {
  /// One of them.
  struct Entry {
    let sink: RolloutSink
    /// What the top level says.
    let topLevel: RolloutFlag
    /// The share of units that it receives before every schedule, and after each step.
    let phases: [Phase]
  }

  /// The smallest and largest share of units that a sink receives from a time on, over all events and contexts.
  struct Phase {
    /// Milliseconds since 1970-01-01T00:00:00Z; `nil` for before every schedule.
    let from: Int64?
    let receives: ClosedRange<RolloutPercentage>
  }

  /// The limit of schedule steps. Each needs a proof of its own.
  private static let maximumSteps = 50

  private let name: String
  /// The count of later schedule steps that are left out.
  private let hiddenSteps: Int
  let entries: [Entry]

  /// - Parameter name: the document's name in messages, usually a file name.
  /// - Returns: `nil` if the document names no sink.
  /// - Throws: ``DocumentError`` if the rules distinguish too many cases.
  init?(of document: RolloutDocument, name: String) throws(DocumentError) {
    if document.sinks.isEmpty { return nil }
    self.name = name
    hiddenSteps = max(0, document.changeTimes.count - Self.maximumSteps)
    var phases: [RolloutSink: [Phase]] = [:]
    for time in document.provedTimes.prefix(1 + Self.maximumSteps) {
      for coverage in try RolloutCoverage(of: document, at: time).sinks
      where phases[coverage.sink]?.last?.receives != coverage.range {
        phases[coverage.sink, default: []].append(Phase(from: time, receives: coverage.range))
      }
    }
    entries = phases.sorted { $0.key < $1.key }.compactMap { sink, phases in
      document.sinks.flag(of: sink).map { Entry(sink: sink, topLevel: $0, phases: phases) }
    }
  }

  /// One line per sink.
  var text: String {
    var table = TextTable([.words("sink"), .words("side"), .words("top level"), .words("units that it receives")])
    for entry in entries {
      let receives = entry.phases.map { $0.words(isOnly: entry.phases.count == 1) }.joined(separator: "; ")
      table.addRow([entry.sink.id, entry.sink.side.rawValue, entry.topLevel.words, receives])
    }
    return "\(name.hidingSecrets.printable()) names \(entries.count.counted("sink")):\n" + table.text
      + (hiddenSteps > 0 ? "\n\(hiddenSteps.counted("later step")) of schedules are not shown" : "")
  }

  var json: EventValue {
    [
      "file": .string(name.hidingSecrets),
      "sinks": .array(
        entries.map { entry in
          [
            "sink": .string(entry.sink.id), "side": .string(entry.sink.side.rawValue),
            "topLevel": entry.topLevel.percentage(at: nil)?.json ?? .null,
            "lowest": entry.phases.first?.receives.lowerBound.json ?? .null,
            "highest": entry.phases.first?.receives.upperBound.json ?? .null,
            "schedule": .array(entry.phases.dropFirst().map(\.json)),
          ]
        }),
    ]
  }
}

extension NamedSinks.Phase {
  fileprivate func words(isOnly: Bool) -> String {
    if let from { return "\(receives.words) from \(Timestamp.text(milliseconds: from)) on" }
    return receives.words + (isOnly ? "" : " before any schedule")
  }

  fileprivate var json: EventValue {
    [
      "from": from.map { .string(Timestamp.text(milliseconds: $0)) } ?? .null,
      "lowest": receives.lowerBound.json, "highest": receives.upperBound.json,
    ]
  }
}

extension ClosedRange<RolloutPercentage> {
  fileprivate var words: String {
    lowerBound == upperBound ? "\(lowerBound)" : "\(lowerBound) to \(upperBound), by event and context"
  }
}

extension RolloutFlag {
  /// The share, and the time from which it holds.
  fileprivate var words: String {
    switch self {
    case .percentage(let percentage): percentage.description
    case .schedule(let schedule):
      schedule.steps.first.map { "\($0.percentage) from \(Timestamp.text(milliseconds: $0.from)) on" } ?? ""
    }
  }
}
