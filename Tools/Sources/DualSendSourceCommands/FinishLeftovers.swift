import DualSendCommandLine
import DualSendRewriting
import DualSendSource

/// The code that is unused when no call of the old logger is left: the places that create the `DualSendTracker`, and
/// the table.
struct FinishLeftovers {
  private let rows: [(place: String, what: String)]

  init(_ plan: FinishPlan, _ texts: SourceTexts, _ found: SourceInventory, table: String) {
    guard plan.rewrittenCount > 0, plan.left.isEmpty, found.skipped.isEmpty else {
      rows = []
      return
    }
    let after = plan.result(of: texts)
    var rows: [(String, String)] = []
    for creation in LoggerCreations(of: "DualSendTracker", except: "").found(in: after).creations {
      for range in creation.ranges + creation.typed {
        let line = after.text(creation.file)?.utf8.prefix(range.lowerBound).count { $0 == UInt8(ascii: "\n") } ?? 0
        rows.append(("\(after.paths[creation.file]):\(line + 1)", "the old logger's DualSendTracker is made"))
      }
    }
    self.rows = rows + [(table, "the remapping table")]
  }

  /// The list as a text table; empty if nothing is unused.
  var text: String {
    guard !rows.isEmpty else { return "" }
    var table = TextTable([.words("unused now"), .words("what")])
    for (place, what) in rows { table.addRow([place, what]) }
    return table.text + "\n"
  }
}
