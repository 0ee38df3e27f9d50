import DualSendRemapping
import DualSendRewriting
import DualSendSource

/// One file of an app, and what becomes of it.
struct Rewriting {
  /// The file after it.
  let text: String
  /// Why calls stay that somebody makes.
  let left: [String]
  /// How many do not.
  let count: Int

  static let table = """
    {"formatVersion": 1, "events": {
      "shown": {"name": "home.shown", "parameters": {
        "id": "item.id", "pos": {"to": "position", "type": "int"}, "debug": null, "n": "count", "title": "headline"
      }},
      "tapped": {"name": "home.tapped", "add": {"schema": 2}, "parameters": {
        "n": "count", "liked": {"to": "is_liked", "values": {"1": true, "0": false}}
      }},
      "on": {"name": "switched.on", "parameters": {"n": "count"}},
      "off": {"name": "switched.off", "parameters": {"n": "count"}},
      "other": {"parameters": {"n": "number"}}
    }}
    """

  init(_ file: String, table: String = table, functions: [LoggingFunction] = LoggingFunction.known) throws {
    let texts = SourceTexts([(path: "App.swift", text: file)])
    let plan = try FinishPlan(
      texts, SourceInventory(texts, functions: functions), table: RemappingTable(table.utf8, name: nil), tracker: "t",
      functions: functions, threads: 1)
    (text, count) = (plan.changed["App.swift"] ?? file, plan.rewrittenCount)
    // An app has more callers than the one that a test is about.
    left = plan.left.map(\.reason).filter { !$0.contains(SourceInventory.nobodyCalls) }
  }
}
