import DualSendCommandLine
import DualSendCore

/// The result of comparing an old and a new stream: counts, paths and event ids, never values.
///
/// All counts are exact. The report does not depend on the order of lines.
package struct ParityReport: Sendable, Hashable {
  /// One of the two streams.
  package struct Stream: Sendable, Hashable {
    /// The number of lines, without empty ones.
    package internal(set) var lines = 0
    /// The number of lines that are not valid events.
    package internal(set) var malformed = 0
    /// The numbers of the first malformed lines, from 1; at most ``ParityReport/maximumExamples``.
    package internal(set) var malformedLines: [Int] = []

    /// The time of the newest compared event, in milliseconds since 1970; `nil` unless a period was compared.
    package internal(set) var newest: Int64?

    /// The unit that its first time seems to have, if that is not milliseconds.
    package internal(set) var otherUnit: TimeUnit?

    /// The number of lines whose decision cannot be read. Their events are judged as if they carried none.
    package internal(set) var unreadableDecisions = 0
    /// The number of the first of these lines, from 1.
    package internal(set) var firstUnreadableDecision: Int?

    /// Creates an empty stream.
    package init() {}
  }

  /// A file that was compared.
  package struct Input: Sendable, Hashable {
    /// What it is: `old`, `new`, `remap`.
    package let role: String
    package let path: String
    package let sha256: String

    package init(role: String, path: String, sha256: String) {
      (self.role, self.path, self.sha256) = (role, path, sha256)
    }
  }

  /// A unit of times other than milliseconds.
  package enum TimeUnit: String, Sendable, Hashable, CaseIterable {
    case seconds, microseconds, nanoseconds

    /// The unit by which a time is one of this century, if it is none in milliseconds.
    init?(of time: Int64) {
      let century: ClosedRange<Int64> = 946_684_800_000...4_102_444_800_000
      guard !century.contains(time) else { return nil }
      let unit = Self.allCases.first { unit in
        switch unit {
        case .seconds: time < century.lowerBound && century.contains(time &* 1000)
        case .microseconds: century.contains(time / 1000)
        case .nanoseconds: century.contains(time / 1_000_000)
        }
      }
      guard let unit else { return nil }
      self = unit
    }

    /// What makes milliseconds of it, for `jq`.
    package var correction: String {
      switch self {
      case .seconds: "* 1000"
      case .microseconds: "/ 1000 | floor"
      case .nanoseconds: "/ 1000000 | floor"
      }
    }
  }

  /// The most examples in each list.
  static let maximumExamples = 5
  /// The most events that are counted separately. Names beyond that are considered data, and share one entry.
  static let maximumEvents = 10_000
  /// The name of the shared entry.
  package static let otherEvents = "(other events)"

  /// How lines were joined.
  package internal(set) var join: JoinRule
  /// How events without a decision were judged.
  package internal(set) var membership: StreamMembership.Summary
  /// The old stream.
  package internal(set) var old = Stream()
  /// The new stream.
  package internal(set) var new = Stream()
  /// The events, sorted by old name.
  package var events: [EventParity] = []
  /// The counts by day, event and revision, if the comparer counts them. No part of the report's formats.
  package internal(set) var days = DayTally()
  /// The revisions in the decisions that events carry; a pair counts once.
  package internal(set) var revisions = RevisionTally()
  /// The units with an event that fails, if the comparer lists them. No part of the report's formats.
  package internal(set) var affected = AffectedUnits()
  /// The files that were compared, each with the SHA-256 of its bytes, if the caller names them. Not read back.
  package var inputs: [Input] = []
  /// Whether noise is subtracted.
  package internal(set) var isCalibrated = false

  /// Creates a report without events.
  package init(join: JoinRule, membership: StreamMembership.Summary = .everywhere) {
    (self.join, self.membership) = (join, membership)
  }
}

extension ParityReport {
  /// The sum of all events, with the name `total`.
  package var total: EventParity {
    events.reduce(into: EventParity(name: "total", newName: "total")) { $0.add($1) }
  }

  /// The events with the largest share of failures first, and events without judged lines last.
  var eventsByFailures: [EventParity] {
    events.sorted { left, right in
      // Compares a/b > c/d as a·d > c·b in full width, without rounding or overflow.
      let leftShare = left.failing.multipliedFullWidth(by: max(right.judged, 1))
      let rightShare = right.failing.multipliedFullWidth(by: max(left.judged, 1))
      if (left.judged == 0) != (right.judged == 0) { return right.judged == 0 }
      return leftShare == rightShare ? left.name < right.name : leftShare > rightShare
    }
  }
}

// MARK: - Calibration

extension ParityReport {
  /// This report without the noise that two recordings of the old stream show.
  ///
  /// Values such as times and random ids differ between any two recordings. A field that differs in `n` of `m` pairs of the
  /// baseline is expected to differ in the share `n/m` of the pairs here; that number, rounded up, is subtracted. The same
  /// applies to pairs as a whole.
  ///
  /// - Parameter baseline: a comparison of two recordings of the old stream.
  package func calibrated(by baseline: ParityReport) -> ParityReport {
    let noise = Dictionary(baseline.events.map { (ExactText($0.name), $0) }, uniquingKeysWith: { first, _ in first })
    var calibrated = self
    calibrated.isCalibrated = true
    for index in calibrated.events.indices {
      guard let baseline = noise[ExactText(calibrated.events[index].name)] else { continue }
      calibrated.events[index].calibrate(by: baseline)
    }
    return calibrated
  }
}

extension EventParity {
  fileprivate mutating func calibrate(by baseline: EventParity) {
    self[.noise] = share(baseline.differingBeforeNoise, of: baseline.pairs, in: pairs)
    let noise = Dictionary(
      baseline.fields.map { (ExactText($0.path), $0.counts) }, uniquingKeysWith: { first, _ in first })
    for index in fields.indices {
      guard let counts = noise[ExactText(fields[index].path)] else { continue }
      fields[index].noise = share(counts.differences, of: counts.compared, in: fields[index].counts.compared)
    }
  }

  /// `part / whole · count`, rounded up.
  private func share(_ part: Int, of whole: Int, in count: Int) -> Int {
    guard whole > 0 else { return 0 }
    let (quotient, remainder) = whole.dividingFullWidth(count.multipliedFullWidth(by: min(part, whole)))
    return quotient + (remainder > 0 ? 1 : 0)
  }
}

// MARK: - Markdown

extension ParityReport {
  /// The report as Markdown: the table, the failures of each event, and the events that do not pass.
  ///
  /// - Parameter judgement: the gate's judgement, if any.
  package func markdown(_ judgement: ParityJudgement? = nil) -> String {
    var lines = ["# Parity", "", String(table.markdown.dropLast())]
    for event in eventsByFailures where !event.worstFields.isEmpty || !event.placings.isEmpty {
      lines += ["", "## \(event.title.markdownEscaped)", ""]
      for field in event.worstFields {
        lines.append("- \(field.path.markdownEscaped): \(field.summary)" + Self.examples(field.examples))
      }
      if !event.placings.isEmpty {
        lines.append("- \(event.placings.joined(separator: ", "))" + Self.examples(event.placingExamples))
      }
    }
    if let judgement, !judgement.failures.isEmpty {
      lines += ["", "## What does not pass", ""]
      lines += judgement.failures.map { "- \($0.event.name.markdownEscaped): \($0.summary)" }
    }
    return (lines + [""] + footnotes(judgement).map { "- " + $0.markdownEscaped }).joined(separator: "\n") + "\n"
  }

  private static func examples(_ ids: [String]) -> String {
    ids.isEmpty
      ? "" : "; for example " + ids.map { "`\($0.printable().replacing("`", with: "'"))`" }.joined(separator: ", ")
  }
}

// MARK: - Text

extension ParityReport {
  /// The report for a terminal: a table with the worst events first, the worst fields with example ids, and the totals.
  ///
  /// - Parameters:
  ///   - judgement: the gate's judgement, if any.
  ///   - fieldLimit: the most fields, and the most events with lost or unexpected lines, that are listed.
  package func text(_ judgement: ParityJudgement? = nil, fieldLimit: Int = 20) -> String {
    var lines = [String(table.text.dropLast())]
    let fields = eventsByFailures.flatMap { event in event.worstFields.map { (event, $0) } }
      .sorted { left, right in
        (right.1.differences, ExactText(left.0.name), ExactText(left.1.path))
          < (left.1.differences, ExactText(right.0.name), ExactText(right.1.path))
      }
    if !fields.isEmpty { lines += ["", "worst fields"] }
    for (event, field) in fields.prefix(fieldLimit) {
      lines.append("  \(event.name.printable())  \(field.path.printable()): \(field.summary)")
      lines.append("    for example \(field.examples.map { $0.printable() }.joined(separator: ", "))")
    }
    if fields.count > fieldLimit { lines.append("  … and \(fields.count - fieldLimit) more") }
    lines += misplaced(limit: fieldLimit)
    return (lines + [""] + footnotes(judgement)).joined(separator: "\n") + "\n"
  }

  private func misplaced(limit: Int) -> [String] {
    let events = eventsByFailures.filter { !$0.placings.isEmpty }
    if events.isEmpty { return [] }
    let lines = events.prefix(limit).flatMap { event in
      ["  \(event.name.printable())  \(event.placings.joined(separator: ", "))"]
        + (event.placingExamples.isEmpty
          ? [] : ["    for example \(event.placingExamples.map { $0.printable() }.joined(separator: ", "))"])
    }
    let rest = events.count - limit
    return ["", "lost or unexpected"] + lines + (rest > 0 ? ["  … and \(rest) more"] : [])
  }
}

// MARK: - Merging

extension ParityReport {
  /// Adds reports of other lines of the same streams.
  package mutating func merge(_ parts: [ParityReport]) {
    var events = Dictionary(uniqueKeysWithValues: self.events.map { (ExactText($0.name), $0) })
    for part in parts {
      old.merge(part.old)
      new.merge(part.new)
      days.merge(part.days)
      revisions.merge(part.revisions)
      affected.merge(part.affected)
      for event in part.events {
        if events[ExactText(event.name)]?.merge(event) == nil { events[ExactText(event.name)] = event }
      }
    }
    let others = ExactText(Self.otherEvents)
    if let bound = Self.bound(of: events.keys, limit: Self.maximumEvents, besides: others) {
      var sum = events[others] ?? EventParity(name: Self.otherEvents, newName: Self.otherEvents)
      for name in events.keys where name != others && bound < TextHash(name.text) {
        if let event = events.removeValue(forKey: name) { sum.merge(event) }
      }
      events[others] = sum
    }
    if events[others] != nil {
      days.fold(into: Self.otherEvents) { events[$0] == nil }
    }
    self.events = events.values.sorted { String.byteOrder($0.name, $1.name) }
  }

  /// The greatest hash of the names that have an entry of their own; `nil` if all have one.
  ///
  /// The names with the smallest hashes have one, so that the choice does not depend on the order of lines.
  ///
  /// - Parameter others: the name of the shared entry.
  static func bound(of names: some Collection<ExactText>, limit: Int, besides others: ExactText) -> TextHash? {
    guard names.count > limit else { return nil }
    let hashes = names.filter { $0 != others }.map { TextHash($0.text) }.sorted()
    return hashes.count > limit ? hashes[limit - 1] : nil
  }
}

extension ParityReport.Stream {
  mutating func countUnreadableDecision(_ line: Int) {
    unreadableDecisions += 1
    firstUnreadableDecision = min(firstUnreadableDecision ?? line, line)
  }

  mutating func merge(_ other: Self) {
    lines += other.lines
    malformed += other.malformed
    newest = [newest, other.newest].compactMap { $0 }.max()
    otherUnit = otherUnit ?? other.otherUnit
    unreadableDecisions += other.unreadableDecisions
    firstUnreadableDecision = [firstUnreadableDecision, other.firstUnreadableDecision].compactMap { $0 }.min()
    malformedLines = Array((malformedLines + other.malformedLines).sorted().prefix(ParityReport.maximumExamples))
  }
}

extension EventParity {
  /// Adds the results for the same event from other lines, or for one that shares its entry.
  mutating func merge(_ other: EventParity) {
    add(other)
    units.merge(other.units)
    for list in ParityExamples.all { self[keyPath: list.ids].mergeSmallest(other[keyPath: list.ids]) }
    var fields = Dictionary(uniqueKeysWithValues: self.fields.map { (ExactText($0.path), $0) })
    for field in other.fields {
      if fields[ExactText(field.path)]?.merge(field) == nil { fields[ExactText(field.path)] = field }
    }
    let others = ExactText(FieldTally.otherFields)
    if let bound = ParityReport.bound(of: fields.keys, limit: FieldTally.maximumFields, besides: others) {
      var sum = fields[others] ?? FieldParity(path: FieldTally.otherFields)
      for path in fields.keys where path != others && bound < TextHash(path.text) {
        if let field = fields.removeValue(forKey: path) { sum.merge(field) }
      }
      fields[others] = sum
    }
    self.fields = fields.values.sorted { String.byteOrder($0.path, $1.path) }
  }
}

extension FieldParity {
  mutating func merge(_ other: FieldParity) {
    for outcome in FieldOutcome.allCases { counts[outcome] += other.counts[outcome] }
    examples.mergeSmallest(other.examples)
  }
}

extension [String] {
  /// Keeps the smallest texts of both lists.
  fileprivate mutating func mergeSmallest(_ others: [String]) {
    var smallest = SmallestTexts()
    for text in self + others { smallest.insert(text) }
    self = smallest.texts
  }
}
