import DualSendCommandLine
package import DualSendCore
package import DualSendRollout

/// Lowers the share of units that get the new side, for all events or for some, in the text of a rollout.
///
/// The top level and each rule give events to units. A share that is edited in one place leaves what the others give. So
/// every place that gives one of the events more than the share is lowered: where a place is about these events only, in its
/// text; else by a rule before it, which is about these events. Old-logger shares are raised as far as a unit would be left
/// without a sink. Nothing else of the text changes, and other events keep what they have. ``rest(in:)`` proves the result.
package struct RolloutLowering: Sendable {
  /// Units that get more than the share, after all.
  package struct Rest: Sendable, Hashable {
    /// One of the events.
    package let event: String
    /// The share of units in some context; 100 % for units that a rule names.
    package let share: RolloutPercentage
    /// The units, if a rule names them; else empty.
    package let units: [String]
    /// What decides: `rule 1 "testers"`.
    package let place: String
  }

  package let events: [EventPattern]
  private let share: RolloutPercentage
  private let keepsNamedUnits: Bool

  /// - Parameters:
  ///   - events: the patterns of the events; `*` for all.
  ///   - share: the most units that may get them.
  ///   - keepsNamedUnits: whether rules that name units, such as test devices, stay as they are.
  package init(_ events: [EventPattern], to share: RolloutPercentage, keepsNamedUnits: Bool = false) {
    (self.events, self.share, self.keepsNamedUnits) = (events, share, keepsNamedUnits)
  }

  /// The lowered text; `nil` if no place gives more than the share.
  ///
  /// Events that are retired on purpose stay so, unless a unit would lose its only sink by that.
  ///
  /// - Parameter bytes: the text of a document that apps take.
  /// - Throws: `DocumentError` if it is none, or if its rules distinguish too many cases.
  package func text(of bytes: [UInt8]) throws -> [UInt8]? {
    let before = try RolloutDocument(reading: bytes)
    func isRight(_ text: [UInt8]) throws -> Bool {
      let after = try RolloutDocument(reading: text)
      return try rest(in: after).isEmpty && !Self.takesOnlySink(before, after)
    }
    let root = try JSONReader().document(bytes).root
    let places = [root] + (root.value(of: "rules")?.elements ?? [])
    let retired = places.filter { Place($0).isRetired }.map(\.offset)
    if let gentle = try text(of: bytes, keeping: Set(retired)) {
      if try isRight(gentle) { return gentle }
    } else if try rest(in: before).isEmpty {
      return nil
    }
    // Events without a unit may still reach the new side, where the old logger's share leaves the choice to `missingUnit`; or
    // units would lose their only sink. As many retired places stay as can.
    var kept: Set<Int> = []
    for place in retired.prefix(Self.maximumTries) {
      let more = kept.union([place])
      if let text = try text(of: bytes, keeping: more, isForced: true), try isRight(text) { kept = more }
    }
    return try text(of: bytes, keeping: kept, isForced: true)
  }

  /// The most retired places that are tried, each with a proof.
  private static let maximumTries = 16

  /// - Parameters:
  ///   - kept: the offsets of places that allow neither sink, and stay as they are if they lower nothing.
  ///   - isForced: whether a text is wanted although no share is lowered.
  private func text(of bytes: [UInt8], keeping kept: Set<Int>, isForced: Bool = false) throws -> [UInt8]? {
    let root = try JSONReader().document(bytes).root
    var edits: [TextEdit] = []
    var isLowered = false
    func changes(of place: Place) -> [TextEdit] {
      isLowered = isLowered || !place.lowered(to: share, in: bytes).isEmpty
      return place.edits(to: share, staysRetired: kept.contains(place.node.offset), in: bytes)
    }
    let rules = root.value(of: "rules")?.elements ?? []
    for rule in rules {
      let place = Place(rule)
      guard !(keepsNamedUnits && place.namesUnits) else { continue }
      let common = place.events.map { Self.common($0, events) } ?? events
      guard !common.isEmpty else { continue }
      let own = changes(of: place)
      guard !own.isEmpty else { continue }
      if place.events?.allSatisfy({ one in events.contains { $0.covers(one) } }) ?? coversEverything {
        edits += own
      } else {
        let copy = place.text(in: bytes, edits: own, about: common)
        edits.append(TextEdit(at: rule.offset, copy + ",\n" + rule.indentation(in: bytes)))
      }
    }
    let topLevel = Place(root)
    if coversEverything {
      edits += changes(of: topLevel)
    } else {
      // Those that rules decide in every context need no rule for what the top level says.
      let reached = [RolloutSide.old, .new].map { side in
        events.filter { event in !rules.contains { Place($0).alwaysDecides(side, of: event) } }
      }
      let own = changes(of: topLevel).filter { !reached[topLevel.isNew($0, in: bytes) ? 1 : 0].isEmpty }
      if !own.isEmpty {
        edits.append(appended(topLevel.rule(in: bytes, edits: own, about: events), to: root, bytes))
      }
    }
    return isLowered || isForced && !edits.isEmpty ? TextEdit.apply(edits, to: bytes) : nil
  }

  /// Appends a rule after the others.
  private func appended(_ rule: String, to root: JSONNode, _ bytes: [UInt8]) -> TextEdit {
    guard let rules = root.value(of: "rules") else {
      return TextEdit(at: root.offset + 1, "\n  \"rules\": [\n    \(rule)\n  ],")
    }
    guard let last = rules.elements.last else { return TextEdit(at: rules.offset + 1, rule) }
    return TextEdit(at: last.range(in: bytes).upperBound, ",\n" + last.indentation(in: bytes) + rule)
  }

  private var coversEverything: Bool { events.contains(.prefix("")) }

  /// The events that both lists match.
  private static func common(_ left: [EventPattern], _ right: [EventPattern]) -> [EventPattern] {
    var common: [EventPattern] = []
    for one in left {
      for other in right {
        let narrower = one.covers(other) ? other : other.covers(one) ? one : nil
        if let narrower, !common.contains(narrower) { common.append(narrower) }
      }
    }
    return common
  }

  // MARK: The proof

  /// The units that get one of the events although the share does not allow it, at any step of any schedule. Empty if the
  /// document is proved to keep the share.
  ///
  /// - Throws: `DocumentError` if the rules distinguish too many cases.
  package func rest(in document: RolloutDocument) throws(DocumentError) -> [Rest] {
    let probe = try Self.probe(events)
    var rest: [Rest] = []
    var budget = ProofBudget()
    do {
      for time in document.provedTimes {
        let side = EvaluatedRollout(document, at: time)
        try budget.spend(compiling: side)
        let partition = RolloutPartition([side, EvaluatedRollout(probe, at: nil)])
        for group in partition.events {
          for cell in try partition.cells(of: group, budget: &budget) {
            guard partition.places(cell, side: 1).oldLogger != .topLevel else { continue }
            guard let more = more(in: cell, of: group, partition.places(cell), side), !rest.contains(more) else {
              continue
            }
            rest.append(more)
          }
        }
      }
    } catch {
      throw DocumentError([document.tooManyRules])
    }
    return rest
  }

  /// Whether units that have a sink before have none after, at any step of any schedule.
  private static func takesOnlySink(_ before: RolloutDocument, _ after: RolloutDocument) throws(DocumentError) -> Bool {
    var budget = ProofBudget()
    do {
      for time in after.provedTimes {
        let sides = [EvaluatedRollout(before, at: time), EvaluatedRollout(after, at: time)]
        for side in sides { try budget.spend(compiling: side) }
        let partition = RolloutPartition(sides)
        for events in partition.events {
          for cell in try partition.cells(of: events, budget: &budget) {
            let gaps = sides.enumerated().map { index, side in
              OutcomeIntervals(side.rollout.shares(partition.places(cell, side: index))).buckets(of: .neither)
            }
            if !gaps[1].isEmpty, gaps[0].clamped(to: gaps[1]) != gaps[1] { return true }
          }
        }
      }
      return false
    } catch {
      throw DocumentError([after.tooManyRules])
    }
  }

  private func more(
    in cell: ContextCell, of events: RolloutPartition.Events, _ places: FlagPlaces, _ side: EvaluatedRollout
  ) -> Rest? {
    let shares = side.rollout.shares(places)
    let place = side.document.name(of: places.newTracker)
    if share == .none, case .everyone = cell.units,
      side.rollout.decision(places, bucket: nil).outcome.includes(.new), shares.newTracker <= 0
    {
      return Rest(event: events.example, share: .all, units: [], place: "`missingUnit`")
    }
    guard shares.newTracker > share.thousandths else { return nil }
    switch cell.units {
    case .everyone:
      let share = RolloutPercentage(thousandths: shares.newTracker) ?? .all
      return Rest(event: events.example, share: share, units: [], place: place)
    case .named(let units):
      let decisions = CellDecisions(side, event: events.example, in: cell)
      let reached = units.filter { decisions.decision(ofUnit: $0).shouldSendLogToNewTracker }
      return reached.isEmpty ? nil : Rest(event: events.example, share: .all, units: reached, place: place)
    }
  }

  /// A document whose one rule is about the events, so that a partition tells them from others.
  private static func probe(_ events: [EventPattern]) throws(DocumentError) -> RolloutDocument {
    let patterns = EventValue.array(events.map { .string($0.description) }).canonicalText
    return try RolloutDocument(
      reading: Array(
        """
        {"formatVersion": 1, "revision": 0, "salt": "probe",
        "rules": [{"match": {"events": \(patterns)}, "shouldSendLogToOldLogger": 50}]}
        """.utf8))
  }
}

// MARK: - Places in the text

/// A rule or the top level in the text of a document.
private struct Place {
  let node: JSONNode

  init(_ node: JSONNode) {
    self.node = node
  }

  private var match: JSONNode? { node.value(of: "match") }

  /// The patterns of a rule; `nil` for every event.
  var events: [EventPattern]? {
    match?.value(of: "events")?.elements.compactMap { $0.string.flatMap(EventPattern.init) }
  }

  /// Whether a rule decides a flag of these events in every context.
  func alwaysDecides(_ side: RolloutSide, of event: EventPattern) -> Bool {
    let conditions = match?.members.map(\.key) ?? []
    return conditions.allSatisfy { $0 == "events" } && (events?.contains { $0.covers(event) } ?? true)
      && node.value(of: side.flagKey)?.share != nil
  }

  /// Whether an edit is one of the new tracker's flag.
  func isNew(_ edit: TextEdit, in bytes: [UInt8]) -> Bool {
    node.value(of: RolloutSide.new.flagKey)?.range(in: bytes).contains(edit.range.lowerBound) ?? false
  }

  /// Whether it allows neither sink: its events are retired on purpose.
  var isRetired: Bool { if case .bool(true)? = node.value(of: "allowNeither")?.content { true } else { false } }

  var namesUnits: Bool { match?.value(of: "unitIDs") != nil }

  /// The edits that lower the new tracker's share.
  func lowered(to share: RolloutPercentage, in bytes: [UInt8]) -> [TextEdit] {
    edits(of: .new, in: bytes) { min($0, share) }
  }

  /// The edits that lower the new tracker's share, and raise the old logger's to the rest.
  ///
  /// - Parameter staysRetired: whether the place stays as it is if it lowers nothing.
  func edits(to share: RolloutPercentage, staysRetired: Bool, in bytes: [UInt8]) -> [TextEdit] {
    let lowered = lowered(to: share, in: bytes)
    let rest = RolloutPercentage(thousandths: RolloutBucket.count - share.thousandths) ?? .all
    guard !staysRetired || !lowered.isEmpty else { return [] }
    return lowered + edits(of: .old, in: bytes) { max($0, rest) }
  }

  private func edits(
    of side: RolloutSide, in bytes: [UInt8], _ change: (RolloutPercentage) -> RolloutPercentage
  ) -> [TextEdit] {
    guard let flag = node.value(of: side.flagKey) else { return [] }
    let steps = flag.value(of: "schedule")?.elements.compactMap { $0.value(of: "percentage") }
    return (steps ?? [flag]).compactMap { value in
      guard let share = value.share, change(share) != share else { return nil }
      return TextEdit(value.range(in: bytes), change(share).jsonNumber)
    }
  }

  /// The rule's text with edits, about fewer events.
  func text(in bytes: [UInt8], edits: [TextEdit], about events: [EventPattern]) -> String {
    var edits = edits
    let patterns = Self.json(events)
    if let listed = match?.value(of: "events") {
      edits.append(TextEdit(listed.range(in: bytes), patterns))
    } else if let match {
      edits.append(TextEdit(at: match.offset + 1, "\"events\": " + patterns + (match.members.isEmpty ? "" : ", ")))
    } else {
      edits.append(TextEdit(at: node.offset + 1, "\"match\": {\"events\": " + patterns + "}, "))
    }
    if let name = node.value(of: "name"), let text = name.string {
      edits.append(TextEdit(name.range(in: bytes), EventValue.string(text + ", lowered").canonicalText))
    }
    return String(decoding: TextEdit.apply(edits, to: bytes, in: node.range(in: bytes)), as: UTF8.self)
  }

  /// A rule that gives these events what the top level gives all, with edits.
  func rule(in bytes: [UInt8], edits: [TextEdit], about events: [EventPattern]) -> String {
    let flags = [RolloutSide.old, .new].compactMap { side -> String? in
      guard let range = node.value(of: side.flagKey)?.range(in: bytes) else { return nil }
      let own = edits.filter { range.contains($0.range.lowerBound) }
      guard !own.isEmpty else { return nil }
      return ", \"\(side.flagKey)\": " + String(decoding: TextEdit.apply(own, to: bytes, in: range), as: UTF8.self)
    }
    return "{\"name\": \"lowered\", \"match\": {\"events\": \(Self.json(events))}" + flags.joined() + "}"
  }

  private static func json(_ events: [EventPattern]) -> String {
    EventValue.array(events.map { .string($0.description) }).canonicalText
  }
}

extension EventPattern {
  /// Whether this pattern matches every name that the other one matches.
  fileprivate func covers(_ other: EventPattern) -> Bool {
    switch (self, other) {
    case (.exact, .prefix): false
    case (_, .exact(let name)): matches(name)
    case (.prefix(let stem), .prefix(let longer)): longer.utf8.starts(with: stem.utf8)
    }
  }
}
