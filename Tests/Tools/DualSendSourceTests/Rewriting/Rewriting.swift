import DualSendRemapping
import DualSendSource

/// Some files, and what becomes of them.
struct Rewriting {
  /// The files after it, those that change.
  let changed: [String: String]
  /// Why calls stay.
  let left: [String]
  /// How many change.
  let count: Int

  static let table = """
    {"formatVersion": 1, "events": {
      "shown": {"name": "home.shown", "parameters": {"id": "item_id", "n": "count", "box.w": "box.width"}},
      "on": {"name": "switched.on", "parameters": {"n": "count"}},
      "off": {"name": "switched.off"},
      "other": {"parameters": {"n": "number"}},
      "dropping": {"parameters": {"debug": null, "box.w": null}},
      "forked": {"parameters": {"siteId": {"to": "site_id", "or": ["site id"]}}},
      "adding": {"name": "added", "add": {"schema": 2}},
      "converting": {"parameters": {
        "pos": {"to": "position", "type": "int"}, "liked": {"to": "is_liked", "values": {"1": true, "0": false}}}},
      "moving": {"parameters": {"sku": "item.id", "price": "item.price", "ctx.screen": "screen", "ctx.app": "app.name"}},
      "tab_home": {"name": "tab.home"}, "swapping": {"parameters": {"a": "b", "b": "a"}}
    }}
    """

  /// A team's function, as `--calls` describes it.
  static let track = LoggingFunction(
    "track(_:_:)", content: .parts(name: .position(0), parameters: .position(1)))

  init(
    _ files: (String, String)..., functions: [LoggingFunction] = LoggingFunction.known, module: String? = nil
  ) throws {
    let texts = SourceTexts(files.map { (path: $0.0, text: $0.1) })
    let functions = [Self.track].compactMap { $0 } + functions
    let plan = try FinishPlan(
      texts, SourceInventory(texts, functions: functions), table: RemappingTable(reading: Self.table.utf8, name: nil),
      tracker: "t", module: module, functions: functions, threads: 1)
    (changed, count, left) = (plan.changed, plan.rewrittenCount, plan.left.map(\.reason))
  }
}
