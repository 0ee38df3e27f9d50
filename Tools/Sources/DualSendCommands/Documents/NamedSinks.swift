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
    /// The share of units that it receives before every schedule, at least and at most, over all events and contexts.
    let receives: ClosedRange<RolloutPercentage>
  }

  private let name: String
  private let hasSchedules: Bool
  let entries: [Entry]

  /// - Parameter name: what people call the document, usually a file name.
  /// - Returns: `nil` if the document names no sink, so that nothing is said of it.
  /// - Throws: ``DocumentError`` if the rules tell too many cases apart.
  init?(of document: RolloutDocument, name: String) throws(DocumentError) {
    if document.sinks.isEmpty { return nil }
    self.name = name
    hasSchedules = !document.changeTimes.isEmpty
    let coverage = try RolloutCoverage(of: document)
    entries = coverage.sinks.compactMap { coverage in
      document.sinks.flag(of: coverage.sink).map {
        Entry(sink: coverage.sink, topLevel: $0, receives: coverage.range)
      }
    }
  }

  /// One line a sink.
  var text: String {
    let receives = "units that it receives" + (hasSchedules ? " before any schedule" : "")
    var table = TextTable([.words("sink"), .words("side"), .words("top level"), .words(receives)])
    for entry in entries {
      table.addRow([entry.sink.id, entry.sink.side.rawValue, entry.topLevel.words, entry.receives.words])
    }
    return "\(name.hidingSecrets.printable()) names \(entries.count.counted("sink")):\n" + table.text
  }

  var json: EventValue {
    [
      "file": .string(name.hidingSecrets),
      "sinks": .array(
        entries.map { entry in
          [
            "sink": .string(entry.sink.id), "side": .string(entry.sink.side.rawValue),
            "topLevel": entry.topLevel.percentage(at: nil)?.json ?? .null,
            "lowest": entry.receives.lowerBound.json, "highest": entry.receives.upperBound.json,
          ]
        }),
    ]
  }
}

extension ClosedRange<RolloutPercentage> {
  fileprivate var words: String {
    lowerBound == upperBound ? "\(lowerBound)" : "\(lowerBound) to \(upperBound), by event and context"
  }
}

extension RolloutFlag {
  /// The share, or when it starts to be one.
  fileprivate var words: String {
    switch self {
    case .percentage(let percentage): percentage.description
    case .schedule(let schedule):
      schedule.steps.first.map { "\($0.percentage) from \(Timestamp.text(milliseconds: $0.from)) on" } ?? ""
    }
  }
}
