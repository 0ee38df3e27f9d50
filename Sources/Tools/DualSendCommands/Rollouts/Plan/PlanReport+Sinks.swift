import DualSend
import DualSendCore
import DualSendRollout
import DualSendRolloutAnalysis

extension RolloutPlan.SinkEvents {
  /// The sink and the group's patterns, then the changes by context.
  var text: String {
    let head = "\(PlanMark(marks).rawValue) \(sink.words): \(PlanWords.list(patterns))"
    return ([head] + changes.flatMap { $0.lines(of: sink) } + unitLines).joined(separator: "\n")
  }

  /// The marks of all moves, including those of units without an ID and of named units.
  var marks: [PlanMark] {
    changes.flatMap { $0.rows(of: sink).map(\.mark) } + units.compactMap(\.move.mark)
  }

  private var unitLines: [String] {
    let rows = units.compactMap { unit in
      unit.move.mark.map {
        PlanTable.Row(mark: $0, cells: [unit.example.namedSubject, $0.effect(on: sink), unit.example.withContext])
      }
    }
    return (rows.isEmpty ? [] : ["    units that rules name"]) + PlanTable.lines(rows)
  }

  var json: EventValue {
    [
      "sink": .string(sink.id), "side": .string(sink.side.rawValue),
      "patterns": .array(patterns.map { .string($0.description) }), "changes": .array(changes.map(\.json)),
      "units": .array(
        units.map { unit in
          ["event": .string(unit.exampleEvent), "example": unit.example.json, "move": unit.move.json]
        }),
    ]
  }
}

extension RolloutPlan.SinkChange {
  fileprivate func lines(of sink: RolloutSink) -> [String] {
    let context = (gains.example ?? loses.example)?.description ?? ""
    let head =
      PlanWords.change(sink.side.rawValue, before.flag, after.flag) + ", "
      + change(of: sink) + ": "
      + PlanWords.change("its units", before.receives, after.receives)
    return ["    " + head + (context.isEmpty ? "" : ", such as with \(context)")]
      + ["      " + PlanWords.deciding(before.decidedBy.distinct, after.decidedBy.distinct)]
      + PlanTable.lines(rows(of: sink))
  }

  /// The sink's shares before and after. A sink that a document does not name follows its side's flag.
  private func change(of sink: RolloutSink) -> String {
    switch (before.sink, after.sink) {
    case (let before?, let after?): PlanWords.change(sink.id, before, after)
    case (let before, let after):
      "\(sink.id) \(before?.description ?? "not named") → \(after?.description ?? "not named")"
    }
  }

  fileprivate func rows(of sink: RolloutSink) -> [PlanTable.Row] {
    let moves = [
      (mark: PlanMark.gain, move: gains), (mark: .loss, move: loses),
    ].filter { $0.move.share > .none }
    let rows = moves.map { mark, move in
      PlanTable.Row(mark: mark, cells: [move.share.description, mark.effect(on: sink), move.example.unitExample])
    }
    let withoutUnit = withoutUnit.mark.map {
      PlanTable.Row(mark: $0, cells: ["no unit ID", $0.effect(on: sink), ""])
    }
    return rows + [withoutUnit].compactMap { $0 }
  }

  fileprivate var json: EventValue {
    [
      "exampleEvent": .string(exampleEvent), "before": before.json, "after": after.json, "gains": gains.json,
      "loses": loses.json, "withoutUnit": withoutUnit.json,
    ]
  }
}

extension RolloutPlan.SinkSetting {
  fileprivate var json: EventValue {
    [
      "flag": flag.json, "sink": sink?.json ?? .null, "receives": receives.json,
      "decidedBy": .array(decidedBy.distinct.map { .string($0) }),
    ]
  }
}

extension RolloutPlan.SinkMove {
  fileprivate var json: EventValue { ["percentage": share.json, "example": example?.json ?? .null] }
}

extension SinkComparison.Move {
  /// `nil` if nothing changes.
  fileprivate var mark: PlanMark? { isChange ? (isLoss ? .loss : .gain) : nil }

  fileprivate var json: EventValue { ["before": .bool(before), "after": .bool(after)] }
}

extension PlanMark {
  fileprivate func effect(on sink: RolloutSink) -> String {
    switch self {
    case .gain, .swap: "gain \(sink.id)"
    case .loss: sink.side == .new ? "EVICTED from \(sink.id)" : "lose \(sink.id)"
    }
  }
}

extension RolloutSink {
  /// `amplitude (new)`.
  var words: String { "\(id) (\(side.rawValue))" }
}

extension [String] {
  /// The texts without duplicates, in order of first occurrence.
  fileprivate var distinct: [String] {
    var seen: Set<String> = []
    return filter { seen.insert($0).inserted }
  }
}
