import DualSendCore

extension RolloutDocumentReader {
  /// Reads `true`, `false`, a percentage or a schedule.
  mutating func flag(_ key: String, of members: [String: JSONNode.Member], at path: EventPath) -> RolloutFlag? {
    members[key].flatMap { flag($0.value, at: path.appending(key)) }
  }

  mutating func flag(_ node: JSONNode, at path: EventPath) -> RolloutFlag? {
    switch node.content {
    case .bool(let isOn): return .percentage(isOn ? .all : .none)
    case .number(let number): return percentage(number, of: node, at: path).map { .percentage($0) }
    case .object: return schedule(node, at: path).map { .schedule($0) }
    case .null, .string, .array:
      reader.wrongType(
        node, at: path, expected: "`true`, `false`, a percentage or a schedule",
        help: node.withoutQuotes(\.isBool) ?? node.plainPercentage)
      return nil
    }
  }

  private mutating func percentage(
    _ number: JSONNode.Number, of node: JSONNode, at path: EventPath
  ) -> RolloutPercentage? {
    do {
      return try RolloutPercentage(jsonNumber: number.text)
    } catch {
      let fault =
        switch error {
        case .outOfRange: "is not between 0 and 100"
        case .tooManyDecimals: "has more than three decimals"
        }
      reader.report(
        .invalidPercentage, "\(number.quotation) \(fault)", at: node.offset, path: path,
        help: "a percentage is 0…100 with at most three decimals")
      return nil
    }
  }

  private mutating func schedule(_ node: JSONNode, at path: EventPath) -> RolloutSchedule? {
    guard let members = reader.members(of: node, at: path, known: ["schedule"]) else { return nil }
    guard let list = reader.member("schedule", of: members, in: node, at: path)?.value else { return nil }
    let path = path.appending("schedule")
    guard let elements = reader.elements(list, at: path) else { return nil }
    guard !elements.isEmpty else {
      reader.report(.emptyList, "a schedule needs at least one step", at: list.offset, path: path)
      return nil
    }
    var steps: [RolloutSchedule.Step] = []
    for element in elements {
      guard let step = step(element.node, at: element.path) else { continue }
      if let last = steps.last, last.from >= step.from {
        reader.report(
          .invalidSchedule, "this step is not later than the one before", at: element.node.offset, path: element.path,
          help: "order the steps by time, each time once")
      }
      steps.append(step)
    }
    return steps.count == elements.count ? RolloutSchedule(steps: steps) : nil
  }

  private mutating func step(_ node: JSONNode, at path: EventPath) -> RolloutSchedule.Step? {
    guard let members = reader.members(of: node, at: path, known: ["from", "percentage"]) else { return nil }
    let from = reader.member("from", of: members, in: node, at: path)
      .flatMap { time($0.value, at: path.appending("from")) }
    var percentage: RolloutPercentage?
    if let value = reader.member("percentage", of: members, in: node, at: path)?.value {
      if case .number(let number) = value.content {
        percentage = self.percentage(number, of: value, at: path.appending("percentage"))
      } else {
        reader.wrongType(
          value, at: path.appending("percentage"), expected: "a percentage", help: value.plainPercentage)
      }
    }
    guard let from, let percentage else { return nil }
    return RolloutSchedule.Step(from: from, percentage: percentage)
  }

  private mutating func time(_ node: JSONNode, at path: EventPath) -> Int64? {
    guard let text = reader.string(node, at: path) else { return nil }
    guard let time = Timestamp.milliseconds(text: text) else {
      reader.report(
        .invalidSchedule, "this is not a time", at: node.offset, path: path,
        help: "write it as RFC 3339 does: `2026-12-01T00:00:00Z`")
      return nil
    }
    return time
  }
}
