package import DualSendCore
import DualSendParity
import DualSendRollout

import struct Foundation.URLComponents

extension GuardPolicy {
  /// The keys of a policy, without those that all documents have.
  package static let keys = [
    "steps", "rule", "hold", "settle", "errorProbability", "maximumSilence", "bounds", "units", "maturity",
    "maximumUnjudged", "onBreach", "tell",
  ]

  /// Reads a policy.
  ///
  /// - Parameter name: the name of the file in diagnostics.
  /// - Throws: all findings.
  package init(_ bytes: some Sequence<UInt8>, name: String? = nil) throws(DocumentError) {
    var file = GuardPolicyReader(reader: try DocumentReader(bytes, name: name))
    let policy = file.read()
    guard var policy, !file.reader.hasErrors else { throw DocumentError(file.reader.diagnostics) }
    policy.warnings = file.reader.diagnostics
    self = policy
  }
}

extension DocumentDiagnostic.Code {
  /// An invalid share, time, pattern, webhook or command.
  static let invalidPolicyValue = DocumentDiagnostic.Code(rawValue: "DS1401")
  /// Steps that do not increase.
  static let invalidSteps = DocumentDiagnostic.Code(rawValue: "DS1402")
  /// An unknown word in `of` or `onBreach`.
  static let unknownPolicyWord = DocumentDiagnostic.Code(rawValue: "DS1403")
  /// Steps that end before all units have the new tracker.
  static let incompleteSteps = DocumentDiagnostic.Code(rawValue: "DS1411")
}

/// Reads the members of a policy.
private struct GuardPolicyReader {
  private static let units: [Character: Int64] = ["s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000]
  private static let maximumTime: Int64 = 366 * 86_400_000

  var reader: DocumentReader

  mutating func read() -> GuardPolicy? {
    guard reader.hasFormat(1) else { return nil }
    let (root, path) = (reader.document.root, EventPath())
    guard let members = reader.members(of: root, at: path, known: ["$schema", "formatVersion"] + GuardPolicy.keys)
    else { return nil }
    let hold = members["hold"].flatMap { time($0.value, at: path.appending("hold")) } ?? 86_400_000
    var policy = GuardPolicy(
      steps: [], errorProbability: 0.05, settle: 3_600_000, maximumSilence: 21_600_000, bounds: [], sample: .units,
      maximumUnjudged: .perMille, onBreach: .back, command: [])
    if let member = reader.member("steps", of: members, in: root, at: path) {
      policy.steps = steps(member.value, hold: hold)
    }
    if let member = reader.member("bounds", of: members, in: root, at: path) { policy.bounds = bounds(member.value) }
    policy.rule = members["rule"].flatMap { reader.string($0.value, at: path.appending("rule")) }
    if let member = members["settle"] { policy.settle = time(member.value, at: path.appending("settle")) ?? 0 }
    for (key, time) in [("maximumSilence", \GuardPolicy.maximumSilence), ("maturity", \.maturity)] {
      if let member = members[key] { policy[keyPath: time] = self.time(member.value, at: path.appending(key)) ?? 0 }
    }
    if let member = members["errorProbability"] {
      let path = path.appending("errorProbability")
      let share = share(member.value, at: path)
      if let share, share.partsPerMillion == 0 || share.partsPerMillion > 500_000 {
        invalid(member.value, at: path, "an error probability is above 0% and at most 50%", help: "such as \"5%\"")
      }
      policy.errorProbability = share?.fraction ?? 0.05
    }
    if let member = members["units"] {
      let word: GuardPolicy.Sample? = reader.word(member.value, at: path.appending("units"), code: .unknownPolicyWord)
      policy.sample = word ?? .units
    }
    if let member = members["maximumUnjudged"], let share = share(member.value, at: path.appending("maximumUnjudged")) {
      policy.maximumUnjudged = share
    }
    if let member = members["onBreach"] {
      let word: GuardPolicy.Breach? = reader.word(
        member.value, at: path.appending("onBreach"), code: .unknownPolicyWord)
      policy.onBreach = word ?? .back
    }
    if let member = members["tell"] { tell(member.value, &policy) }
    if let node = members["steps"]?.value, let last = policy.steps.last?.percentage, last < .all, !reader.hasErrors {
      let areFractions = last.thousandths <= 1_000 && policy.steps.count > 1
      reader.report(
        .incompleteSteps,
        "the last step is \(last) of the units" + (areFractions ? ", and all are at most 1 %" : ""), at: node.offset,
        path: path.appending("steps"), severity: .warning,
        help: areFractions ? "write per cent, such as [5, 25, 50, 100]" : "add 100, or finish the rollout by hand")
    }
    return policy
  }

  private mutating func steps(_ node: JSONNode, hold: Int64) -> [GuardPolicy.Step] {
    let path = EventPath([.key("steps")])
    guard let elements = reader.elements(node, at: path) else { return [] }
    if elements.isEmpty { report(.invalidSteps, node, at: path, "there is no step", help: "such as [5, 25, 50, 100]") }
    var steps: [GuardPolicy.Step] = []
    for (node, path) in elements {
      guard let step = step(node, at: path, hold: hold) else { continue }
      if step.percentage == .none || steps.last.map({ $0.percentage >= step.percentage }) == true {
        report(
          .invalidSteps, node, at: path, "a step must be above 0 and above the one before", help: "sort the steps")
      }
      steps.append(step)
    }
    return steps
  }

  private mutating func step(_ node: JSONNode, at path: EventPath, hold: Int64) -> GuardPolicy.Step? {
    guard case .object = node.content else {
      return percentage(node, at: path).map { GuardPolicy.Step(percentage: $0, hold: hold) }
    }
    guard let members = reader.members(of: node, at: path, known: ["percentage", "hold"]),
      let member = reader.member("percentage", of: members, in: node, at: path),
      let percentage = percentage(member.value, at: path.appending("percentage"))
    else { return nil }
    let own = members["hold"].flatMap { time($0.value, at: path.appending("hold")) }
    return GuardPolicy.Step(percentage: percentage, hold: own ?? hold)
  }

  private mutating func percentage(_ node: JSONNode, at path: EventPath) -> RolloutPercentage? {
    guard case .number(let number) = node.content else {
      reader.wrongType(node, at: path, expected: "a percentage")
      return nil
    }
    guard let percent = Double(number.text), let percentage = RolloutPercentage(percent: percent),
      abs(percent * 1000 - Double(percentage.thousandths)) < 1e-6
    else {
      report(.invalidSteps, node, at: path, "`\(number.text)` is not a percentage with at most three decimals")
      return nil
    }
    return percentage
  }

  private mutating func bounds(_ node: JSONNode) -> [GuardPolicy.Bound] {
    let path = EventPath([.key("bounds")])
    guard let elements = reader.elements(node, at: path) else { return [] }
    let bounds = elements.compactMap { bound($0.node, at: $0.path) }
    if !bounds.contains(where: \.isRequired), bounds.count == elements.count {
      invalid(node, at: path, "no bound has to be shown before the next step", help: "leave `required` out of one")
    }
    return bounds
  }

  private mutating func bound(_ node: JSONNode, at path: EventPath) -> GuardPolicy.Bound? {
    guard
      let members = reader.members(
        of: node, at: path, known: ["of", "limit", "events", "together", "required"]),
      let of = reader.member("of", of: members, in: node, at: path),
      let limit = reader.member("limit", of: members, in: node, at: path)
    else { return nil }
    let measure: GuardPolicy.Measure? = reader.word(of.value, at: path.appending("of"), code: .unknownPolicyWord)
    guard let measure, let share = share(limit.value, at: path.appending("limit")) else { return nil }
    if share.partsPerMillion == 1_000_000 {
      invalid(limit.value, at: path.appending("limit"), "100% bounds nothing", help: "leave the bound out")
    }
    var bound = GuardPolicy.Bound(measure: measure, limit: share)
    if let member = members["events"] {
      for (node, path) in reader.elements(member.value, at: path.appending("events")) ?? [] {
        guard let text = reader.string(node, at: path) else { continue }
        if let pattern = EventPattern(text) {
          bound.events.append(pattern)
        } else {
          invalid(node, at: path, "`\(text)` is not a name, or a prefix that ends in `*`")
        }
      }
    }
    bound.isTogether =
      members["together"].flatMap { reader.bool($0.value, at: path.appending("together")) } ?? false
    bound.isRequired = members["required"].flatMap { reader.bool($0.value, at: path.appending("required")) } ?? true
    if bound.isRequired, bound.limit == .none {
      invalid(
        limit.value, at: path.appending("limit"), "no number of events shows a limit of 0%",
        help: "add `\"required\": false`, so that the bound only stops a rollout, or give a larger limit")
    }
    return bound
  }

  private static func isWebAddress(_ text: String) -> Bool {
    guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased() else { return false }
    return ["http", "https"].contains(scheme) && parts.host?.isEmpty == false
  }

  private mutating func tell(_ node: JSONNode, _ policy: inout GuardPolicy) {
    let path = EventPath([.key("tell")])
    guard let members = reader.members(of: node, at: path, known: ["webhook", "command"]) else { return }
    if let member = members["webhook"] {
      let path = path.appending("webhook")
      policy.webhook = reader.string(member.value, at: path)
      if let address = policy.webhook, !Self.isWebAddress(address) {
        invalid(member.value, at: path, "a webhook is an http or https address with a host")
      }
    }
    if let member = members["command"] {
      let path = path.appending("command")
      policy.command = (reader.elements(member.value, at: path) ?? []).compactMap {
        reader.string($0.node, at: $0.path)
      }
      if policy.command.isEmpty, !reader.hasErrors {
        invalid(member.value, at: path, "a command has at least a program", help: "such as [\"/usr/bin/notify\"]")
      }
    }
  }

  private mutating func share(_ node: JSONNode, at path: EventPath) -> FailingLimit? {
    guard let text = reader.string(node, at: path) else { return nil }
    guard let share = FailingLimit(text) else {
      invalid(node, at: path, "`\(text)` is not a share", help: "such as \"0.1%\"")
      return nil
    }
    return share
  }

  private mutating func time(_ node: JSONNode, at path: EventPath) -> Int64? {
    guard let text = reader.string(node, at: path) else { return nil }
    guard let unit = text.last.flatMap({ Self.units[$0] }), let number = Int64(text.dropLast()), number >= 0,
      number <= Self.maximumTime / unit
    else {
      invalid(node, at: path, "`\(text)` is not a time of at most 366 days", help: "such as \"90m\", \"24h\" or \"7d\"")
      return nil
    }
    return number * unit
  }

  private mutating func invalid(_ node: JSONNode, at path: EventPath, _ message: String, help: String? = nil) {
    report(.invalidPolicyValue, node, at: path, message, help: help)
  }

  private mutating func report(
    _ code: DocumentDiagnostic.Code, _ node: JSONNode, at path: EventPath, _ message: String, help: String? = nil
  ) {
    reader.report(code, message, at: node.offset, path: path, help: help)
  }
}
