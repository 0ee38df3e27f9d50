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

  private var text: DocumentText

  init(_ text: String) throws(ConsoleFailure) {
    self.text = try DocumentText(text)
  }

  var json: EventValue { .array(flags.map(\.json)) }

  /// The flags with a share, in the order of the text. Schedules are edited as text.
  var flags: [Flag] {
    var flags = self.flags(of: text.root, at: "", label: "top level")
    if case .array(let rules)? = text.root.value(of: "rules")?.content {
      for (index, rule) in rules.enumerated() {
        var label = "rule \(index + 1)"
        if case .string(let name)? = rule.value(of: "name")?.content { label = name }
        flags += self.flags(of: rule, at: "/rules/\(index)", label: label)
      }
    }
    return flags.sorted { $0.position < $1.position }
  }

  /// A flag with a share.
  struct Flag {
    let key: String
    /// The name of its rule, or `top level`.
    let label: String
    let pointer: String
    let position: DocumentDiagnostic.Position
    let share: RolloutPercentage

    fileprivate var json: EventValue {
      [
        "pointer": .string(pointer), "line": .int(Int64(position.line)), "column": .int(Int64(position.column)),
        "label": .string(label), "percent": .double(Double(share.thousandths) / 1000), "flag": .string(key),
      ]
    }

    /// Such as `top level, new tracker`.
    var words: String { "\(label), \(key == RolloutFlags.newTracker ? "new tracker" : "old logger")" }
  }

  private func flags(of node: JSONNode, at pointer: String, label: String) -> [Flag] {
    Self.keys.compactMap { key in
      guard let value = node.value(of: key), let share = value.share else { return nil }
      return Flag(
        key: key, label: label, pointer: "\(pointer)/\(key)", position: text.position(of: value), share: share)
    }
  }

  /// The text with another share at a flag.
  mutating func set(_ pointer: String, to percentage: RolloutPercentage) throws(ConsoleFailure) -> String {
    guard Self.keys.contains(where: { pointer.hasSuffix("/" + $0) }), let node = text.node(at: pointer),
      text.replace(node, with: percentage.jsonNumber)
    else { throw ConsoleFailure(422, "there is no share at `\(pointer)`") }
    return text.text
  }

  /// The text with another share of the new tracker for one event. Edits the rule that matches only this event, or else
  /// inserts a rule before the one that decides now.
  mutating func promote(_ event: String, to percentage: RolloutPercentage) throws -> String {
    let document = try RolloutDocument(proving: text.bytes, name: "the text")
    let places = RolloutSnapshot(document).trace(for: event, context: DecisionContext(unitID: "unit of the console"))
    let deciding = places.rules.first(where: \.decidesNewTracker)?.index
    guard case .array(let rules)? = text.root.value(of: "rules")?.content else {
      return try withFirstRule(event, percentage)
    }
    if let deciding, rules[deciding].isOnlyAbout(event), let flag = rules[deciding].value(of: Self.newTracker),
      text.replace(flag, with: percentage.jsonNumber)
    {
      return text.text
    }
    if let deciding {
      let rule = rules[deciding]
      text.insert(Self.rule(event, percentage) + ",\n" + rule.indentation(in: text.bytes), at: rule.offset)
    } else if let last = rules.last {
      text.insert(
        ",\n" + last.indentation(in: text.bytes) + Self.rule(event, percentage),
        at: last.range(in: text.bytes).upperBound)
    } else {
      return try withFirstRule(event, percentage)
    }
    return text.text
  }

  private mutating func withFirstRule(_ event: String, _ percentage: RolloutPercentage) throws(ConsoleFailure) -> String
  {
    if let rules = text.root.value(of: "rules"), case .array = rules.content {
      text.insert(Self.rule(event, percentage), at: rules.offset + 1)
    } else {
      text.insert("\n  \"rules\": [\n    \(Self.rule(event, percentage))\n  ],", at: text.root.offset + 1)
    }
    return text.text
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
