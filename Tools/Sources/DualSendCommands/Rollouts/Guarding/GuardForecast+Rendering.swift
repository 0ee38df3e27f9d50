import DualSendCommandLine
import DualSendCore
import DualSendGuard
import DualSendParity

extension GuardForecast {
  private static let quantiles = [("half of the runs", 0.5), ("nine in ten", 0.9), ("all", 1.0)]

  /// The results of the runs, by quantile of their duration.
  func text(_ policy: GuardPolicy) -> String {
    var table = TextTable([
      .words("of \(runs.count.grouped) runs"), .words("took at most"), .words("ended at"), .words("units met"),
    ])
    for (words, share) in Self.quantiles {
      guard let run = quantile(share) else { continue }
      table.addRow([
        words, Self.time(run.hours),
        run.isCaught
          ? "caught at \(policy.steps[run.step].percentage)" : run.isDone ? "done" : "not shown within a year",
        ShareText(Int((run.unitsMet * 1_000_000).rounded()), of: 1_000_000, decimals: 3).description,
      ])
    }
    return table.text
      + "caught: \(runs.count(where: \.isCaught).grouped); done: \(runs.count(where: \.isDone).grouped)\n"
  }

  var json: EventValue {
    [
      "runs": .int(Int64(runs.count)), "caught": .int(Int64(runs.count(where: \.isCaught))),
      "done": .int(Int64(runs.count(where: \.isDone))),
      "quantiles": .array(
        Self.quantiles.compactMap { _, share in
          quantile(share).map { run in
            [
              "share": .double(share), "hours": .int(Int64(run.hours)), "step": .int(Int64(run.step)),
              "isCaught": .bool(run.isCaught), "isDone": .bool(run.isDone), "unitsMet": .double(run.unitsMet),
            ]
          }
        }),
    ]
  }

  private static func time(_ hours: Int) -> String {
    hours < 48 ? hours.counted("hour") : "\((hours / 24).counted("day")) \((hours % 24).counted("hour"))"
  }
}
