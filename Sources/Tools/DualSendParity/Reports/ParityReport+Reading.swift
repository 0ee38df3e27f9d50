package import DualSendCore
import DualSendRemapping

extension ParityReport {
  /// Reads a report that ``json(_:)`` wrote.
  ///
  /// - Parameter name: the file's name for diagnostics.
  /// - Throws: all findings, such as a count that is missing or below 0.
  package init(_ bytes: some Sequence<UInt8>, name: String? = nil) throws(DocumentError) {
    // Reports can be longer than the default limit, which is for documents that people edit.
    let reader = try DocumentReader(bytes, name: name, reader: JSONReader(maximumBytes: 1 << 30))
    var file = ParityReportReader(reader: reader)
    let report = file.read()
    guard let report, !file.reader.hasErrors else { throw DocumentError(file.reader.diagnostics) }
    self = report
  }
}

/// Reads the members of a report.
private struct ParityReportReader {
  /// An object with its place.
  private struct Object {
    let node: JSONNode
    let path: EventPath
    let members: [String: JSONNode.Member]
  }

  private typealias Place = (node: JSONNode, path: EventPath)

  var reader: DocumentReader

  mutating func read() -> ParityReport? {
    guard reader.hasFormat(ParityReport.formatVersion) else { return nil }
    let known = [
      "formatVersion", "version", "inputs", "join", "membership", "gate", "calibrated", "old", "new", "revisions",
      "total",
      "events",
    ]
    guard let root = object((reader.document.root, EventPath()), known: known),
      let join = member("join", of: root).flatMap({ joinRule($0) })
    else { return nil }
    var report = ParityReport(join: join)
    report.membership = member("membership", of: root).flatMap { membership($0) } ?? .everywhere
    report.isCalibrated = member("calibrated", of: root).flatMap { reader.bool($0.node, at: $0.path) } ?? false
    report.old = stream("old", of: root)
    report.new = stream("new", of: root)
    report.revisions = revisions(of: root)
    report.events = requiredList("events", of: root).compactMap { event($0) }
    return report
  }

  private mutating func joinRule(_ place: Place) -> JoinRule? {
    guard let join = object(place, known: ["by", "parameter", "unit", "window"]),
      let word = word("by", of: join, among: ["eventID", "order"])
    else { return nil }
    if word == "eventID" { return .eventID(parameter: text("parameter", of: join)) }
    let unit = text("unit", of: join).flatMap { try? KeyPathPattern($0) }
    return .order(unit: unit, window: optional("window", of: join).flatMap { reader.integer($0.node, at: $0.path) })
  }

  private mutating func membership(_ place: Place) -> StreamMembership.Summary? {
    guard let membership = object(place, known: ["by", "in", "revisions", "late"]),
      let word = word("by", of: membership, among: ["everywhere", "oneSidedAllowed", "rollout"])
    else { return nil }
    switch word {
    case "rollout":
      guard let late = member("late", of: membership).flatMap({ reader.integer($0.node, at: $0.path) }),
        let revisions = member("revisions", of: membership)
      else { return nil }
      return .rollout(revisions: list(revisions).compactMap { reader.integer($0.node, at: $0.path) }, late: late)
    case "oneSidedAllowed":
      let sides = texts("in", of: membership)
      return .oneSidedAllowed(in: Set(StreamSide.allCases.filter { sides.contains($0.word) }))
    default: return .everywhere
    }
  }

  private mutating func stream(_ key: String, of root: Object) -> ParityReport.Stream {
    var stream = ParityReport.Stream()
    guard let place = member(key, of: root),
      let object = object(place, known: ["lines", "malformed", "malformedLines"])
    else { return stream }
    stream.lines = count("lines", of: object)
    stream.malformed = count("malformed", of: object)
    stream.malformedLines = (optional("malformedLines", of: object).map { list($0) } ?? [])
      .compactMap { reader.integer($0.node, at: $0.path) }.map { Int(clamping: $0) }
    return stream
  }

  private mutating func revisions(of root: Object) -> RevisionTally {
    guard let object = member("revisions", of: root).flatMap({ object($0, known: ["events", "others"]) }) else {
      return RevisionTally()
    }
    var counts: [Int64?: Int] = [:]
    for pair in requiredList("events", of: object).map({ list($0) }) where pair.count == 2 {
      let revision = pair[0].node.isNull ? nil : reader.integer(pair[0].node, at: pair[0].path)
      counts[revision] = count(pair[1])
    }
    return RevisionTally(counts: counts, others: count("others", of: object))
  }

  private mutating func event(_ place: Place) -> EventParity? {
    let known =
      ParityCount.allCases.map(\.key) + ParityExamples.all.map(\.key) + ParityMeasure.allCases.map(\.rawValue) + [
        "name", "newName", "differing", "failing", "fields", "units",
      ]
    guard let object = object(place, known: known), let name = requiredText("name", of: object),
      let newName = requiredText("newName", of: object)
    else { return nil }
    var event = EventParity(name: name, newName: newName)
    for one in ParityCount.allCases { event[one] = count(one.key, of: object) }
    for measure in ParityMeasure.allCases {
      guard let place = member(measure.rawValue, of: object) else { continue }
      event[measure] = place.node.isNull ? nil : reader.integer(place.node, at: place.path)
    }
    for list in ParityExamples.all { event[keyPath: list.ids] = texts(list.key, of: object) }
    let units = optional("units", of: object).flatMap {
      self.object($0, known: ["judged", "failing", "eventsWithoutUnit"])
    }
    event.savedTotals = units.map { units in
      UnitTotals(
        judged: count("judged", of: units), failing: count("failing", of: units),
        withoutUnit: count("eventsWithoutUnit", of: units))
    }
    event.fields = requiredList("fields", of: object).compactMap { field($0) }
    return event
  }

  private mutating func field(_ place: Place) -> FieldParity? {
    let known = ["path", "noise", "examples"] + FieldOutcome.allCases.map(\.rawValue)
    guard let object = object(place, known: known), let path = requiredText("path", of: object) else { return nil }
    var field = FieldParity(path: path)
    field.noise = count("noise", of: object)
    field.examples = texts("examples", of: object)
    for outcome in FieldOutcome.allCases { field.counts[outcome] = count(outcome.rawValue, of: object) }
    return field
  }

  // MARK: Members

  private mutating func object(_ place: Place, known: [String]) -> Object? {
    reader.members(of: place.node, at: place.path, known: known).map {
      Object(node: place.node, path: place.path, members: $0)
    }
  }

  private mutating func member(_ key: String, of object: Object) -> Place? {
    reader.member(key, of: object.members, in: object.node, at: object.path).map {
      ($0.value, object.path.appending(key))
    }
  }

  /// A member that may be absent or `null`.
  private func optional(_ key: String, of object: Object) -> Place? {
    guard let member = object.members[key], !member.value.isNull else { return nil }
    return (member.value, object.path.appending(key))
  }

  private mutating func count(_ key: String, of object: Object) -> Int {
    member(key, of: object).map { count($0) } ?? 0
  }

  private mutating func count(_ place: Place) -> Int {
    guard let count = reader.integer(place.node, at: place.path) else { return 0 }
    let range = 0...Int64(PartialParity.maximumCount)
    if !range.contains(count) { reader.wrongType(place.node, at: place.path, expected: "a count") }
    return Int(clamping: count)
  }

  private mutating func word(_ key: String, of object: Object, among known: [String]) -> String? {
    member(key, of: object).flatMap { reader.word($0.node, at: $0.path, among: known, code: .wrongType) }
  }

  private mutating func requiredText(_ key: String, of object: Object) -> String? {
    member(key, of: object).flatMap { reader.string($0.node, at: $0.path) }
  }

  private mutating func text(_ key: String, of object: Object) -> String? {
    optional(key, of: object).flatMap { reader.string($0.node, at: $0.path) }
  }

  private mutating func texts(_ key: String, of object: Object) -> [String] {
    guard let member = object.members[key] else { return [] }
    return list((member.value, object.path.appending(key))).compactMap { reader.string($0.node, at: $0.path) }
  }

  private mutating func requiredList(_ key: String, of object: Object) -> [Place] {
    member(key, of: object).map { list($0) } ?? []
  }

  private mutating func list(_ place: Place) -> [Place] {
    reader.elements(place.node, at: place.path) ?? []
  }
}

extension JSONNode {
  fileprivate var isNull: Bool {
    if case .null = content { return true }
    return false
  }
}
