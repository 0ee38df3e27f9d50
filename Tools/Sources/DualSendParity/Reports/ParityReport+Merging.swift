import DualSendCore
import DualSendJSONLines

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
  mutating func merge(_ other: Self) {
    lines += other.lines
    malformed += other.malformed
    newest = [newest, other.newest].compactMap { $0 }.max()
    malformedLines = Array((malformedLines + other.malformedLines).sorted().prefix(ParityReport.maximumExamples))
  }
}

extension EventParity {
  /// Adds the results for the same event from other lines, or for one that shares its entry.
  mutating func merge(_ other: EventParity) {
    add(other)
    for (_, ids) in Self.examples { self[keyPath: ids].mergeSmallest(other[keyPath: ids]) }
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
