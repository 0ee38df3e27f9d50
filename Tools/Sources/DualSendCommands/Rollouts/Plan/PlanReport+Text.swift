import DualSend
import DualSendCore
import DualSendRollout
import DualSendRolloutAnalysis

extension RolloutPlan.Events {
  /// The group's patterns, then the changes by context.
  var text: String {
    let head = "\(PlanMark(moves.map(\.mark)).rawValue) \(PlanWords.list(patterns))"
    return ([head] + changes.flatMap(\.lines) + unitLines).joined(separator: "\n")
  }

  private var unitLines: [String] {
    (units.isEmpty ? [] : ["    units that rules name"])
      + PlanTable.lines(
        units.map { unit in
          PlanTable.Row(SinkMove(unit.move), of: unit.example.namedSubject, example: unit.example.withContext)
        })
  }
}

extension RolloutPlan.Change {
  fileprivate var lines: [String] {
    let context = transitions.lazy.compactMap(\.example).first?.description ?? ""
    let setting =
      PlanWords.change("old", before.oldLogger, after.oldLogger) + ", "
      + PlanWords.change("new", before.newTracker, after.newTracker)
    let head = setting + (context.isEmpty ? "" : ", such as with \(context)")
    let shares = transitions.map { transition in
      (SinkMove(transition), transition.share.description, transition.example.unitExample)
    }
    let rows = (shares + [(SinkMove(withoutUnit), "no unit ID", "")]).filter(\.0.isChange)
    return ["    " + head, "      " + PlanWords.deciding(before.decidedBy, after.decidedBy)]
      + PlanTable.lines(rows.map { PlanTable.Row($0, of: $1, example: $2) })
  }
}

extension PlanTable.Row {
  fileprivate init(_ move: SinkMove, of subject: String, example: String) {
    self.init(mark: move.mark, cells: [subject, move.words, move.effect, example])
  }
}
