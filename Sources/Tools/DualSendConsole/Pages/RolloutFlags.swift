import DualSend
import DualSendCommandLine
import DualSendCommands
import DualSendCore
import DualSendRollout
import DualSendRolloutAnalysis

/// The flags of a rollout's text that the page shows as sliders, and the edits by sliders and promotions.
struct RolloutFlags {
  private static let keys = ["shouldSendLogToOldLogger", "shouldSendLogToNewTracker"]
  private static let newTracker = keys[1]

  private var source: DocumentText
  var text: String { source.text }

  init(_ text: String) throws(ConsoleFailure) {
    source = try DocumentText(text)
  }

  /// The flags with a share, in the order of the text. Schedules are edited as text.
  var json: EventValue {
    var flags = Self.flags(of: source.root, at: "", label: "top level")
    if case .array(let rules)? = source.root.value(of: "rules")?.content {
      for (index, rule) in rules.enumerated() {
        var label = "rule \(index + 1)"
        if case .string(let name)? = rule.value(of: "name")?.content { label = name }
        flags += Self.flags(of: rule, at: "/rules/\(index)", label: label)
      }
    }
    let positions = source.positions(of: flags.map(\.node))
    let columns = PlacedDiagnostics(in: text)
    return .array(
      zip(flags, positions).sorted { $0.1 < $1.1 }.map { flag, position in
        [
          "pointer": .string("\(flag.pointer)/\(flag.key)"), "line": .int(Int64(position.line)),
          "column": .int(Int64(columns.columns(at: position).start)), "label": .string(flag.label),
          "percent": .double(Double(flag.share.thousandths) / 1000), "flag": .string(flag.key),
        ]
      })
  }

  private typealias Flag = (key: String, label: String, pointer: String, node: JSONNode, share: RolloutPercentage)

  private static func flags(of node: JSONNode, at pointer: String, label: String) -> [Flag] {
    keys.compactMap { key in
      guard let value = node.value(of: key), let share = value.share else { return nil }
      return (key, label, pointer, value, share)
    }
  }

  /// The text with another share at a flag.
  mutating func set(_ pointer: String, to percentage: RolloutPercentage) throws(ConsoleFailure) -> String {
    guard Self.keys.contains(where: { pointer.hasSuffix("/" + $0) }), let node = source.node(at: pointer),
      source.replace(node, with: percentage.jsonNumber)
    else { throw ConsoleFailure(422, "there is no share at `\(pointer)`") }
    return text
  }

  /// The text with another share of the new tracker for one event. Edits the rule that matches only this event, or else
  /// inserts a rule before the one that decides now.
  mutating func promote(_ event: String, to percentage: RolloutPercentage) throws -> String {
    let document = try RolloutDocument(proving: source.bytes, name: "the text")
    let places = RolloutSnapshot(document).trace(for: event, context: DecisionContext(unitID: "unit of the console"))
    let deciding = places.rules.first(where: \.decidesNewTracker)?.index
    guard case .array(let rules)? = source.root.value(of: "rules")?.content else {
      return try withFirstRule(event, percentage)
    }
    if let deciding, rules[deciding].isOnlyAbout(event), let flag = rules[deciding].value(of: Self.newTracker),
      source.replace(flag, with: percentage.jsonNumber)
    {
      return text
    }
    if let deciding {
      let rule = rules[deciding]
      source.insert(Self.rule(event, percentage) + ",\n" + rule.indentation(in: source.bytes), at: rule.offset)
    } else if let last = rules.last {
      source.insert(
        ",\n" + last.indentation(in: source.bytes) + Self.rule(event, percentage),
        at: last.range(in: source.bytes).upperBound)
    } else {
      return try withFirstRule(event, percentage)
    }
    return text
  }

  private mutating func withFirstRule(_ event: String, _ percentage: RolloutPercentage) throws(ConsoleFailure) -> String
  {
    if let rules = source.root.value(of: "rules"), case .array = rules.content {
      source.insert(Self.rule(event, percentage), at: rules.offset + 1)
    } else {
      source.insert("\n  \"rules\": [\n    \(Self.rule(event, percentage))\n  ],", at: source.root.offset + 1)
    }
    return text
  }

  private static func rule(_ event: String, _ percentage: RolloutPercentage) -> String {
    let name = EventValue.string("promote \(event)").canonicalText
    return "{ \"name\": \(name), \"match\": { \"events\": [\(EventValue.string(event).canonicalText)] }, "
      + "\"\(newTracker)\": \(percentage.jsonNumber) }"
  }
}

extension JSONNode {
  /// Whether a rule matches exactly this event, without other conditions.
  fileprivate func isOnlyAbout(_ event: String) -> Bool {
    guard case .object(let conditions)? = value(of: "match")?.content, conditions.count == 1,
      case .array(let events)? = conditions.first?.value.content, conditions.first?.key == "events",
      events.count == 1, case .string(let name) = events[0].content
    else { return false }
    return name.isExactly(event)
  }
}
