import DualSendCore

extension ParityReport {
  /// Adds reports of other lines of the same streams.
  package mutating func merge(_ parts: [ParityReport]) {
    var events = Dictionary(uniqueKeysWithValues: self.events.map { (ExactText($0.name), $0) })
    for part in parts {
      old.merge(part.old)
      new.merge(part.new)
      days.merge(part.days)
      for event in part.events {
        if events[ExactText(event.name)]?.merge(event) == nil { events[ExactText(event.name)] = event }
      }
    }
    self.events = events.values.sorted { String.byteOrder($0.name, $1.name) }
  }
}

extension ParityReport.Stream {
  mutating func merge(_ other: Self) {
    lines += other.lines
    malformed += other.malformed
    newest = [newest, other.newest].compactMap { $0 }.max()
    malformedLines = Array((malformedLines + other.malformedLines).sorted().prefix(ParityReport.maximumExamples))
  }
}

extension EventParity {
  /// Adds the results for the same event from other lines.
  fileprivate mutating func merge(_ other: EventParity) {
    add(other)
    for (_, ids) in Self.examples { self[keyPath: ids].mergeSmallest(other[keyPath: ids]) }
    var fields = Dictionary(uniqueKeysWithValues: self.fields.map { (ExactText($0.path), $0) })
    for field in other.fields {
      if fields[ExactText(field.path)]?.merge(field) == nil { fields[ExactText(field.path)] = field }
    }
    self.fields = fields.values.sorted { String.byteOrder($0.path, $1.path) }
  }
}

extension FieldParity {
  fileprivate mutating func merge(_ other: FieldParity) {
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
