import DualSendCommandLine
import DualSendRewriting
import DualSendSource

/// What can be deleted when calls are written anew.
struct FinishLeftovers {
  private let rows: [(place: String, what: String)]

  /// - Parameter table: the table's file.
  init(_ plan: FinishPlan, _ texts: SourceTexts, _ found: SourceInventory, table: String) {
    guard !plan.changed.isEmpty else {
      rows = []
      return
    }
    let after = plan.result(of: texts)
    let unused = UnusedDeclarations(before: texts, after: after, threads: 1)
    var rows = unused.all.map { declaration in
      let what = "\(declaration.kind.rawValue) \(declaration.qualifiedName)"
      return ("\(texts.paths[declaration.file]):\(declaration.line)", what)
    }
    // Without a call of the old logger, nothing needs what stands in its place.
    if plan.left.isEmpty, found.skipped.isEmpty {
      for creation in LoggerCreations(of: "DualSendTracker", except: "").found(in: after).creations {
        for range in creation.ranges {
          let line = after.text(creation.file)?.utf8.prefix(range.lowerBound).count { $0 == UInt8(ascii: "\n") } ?? 0
          rows.append(("\(after.paths[creation.file]):\(line + 1)", "the old logger's DualSendTracker is made"))
        }
      }
      rows.append((table, "the remapping table"))
    }
    self.rows = rows
  }

  /// A table; empty if there is nothing.
  var text: String {
    guard !rows.isEmpty else { return "" }
    var table = TextTable([.words("unused now"), .words("what")])
    for (place, what) in rows { table.addRow([place, what]) }
    return table.text + "\n"
  }
}
