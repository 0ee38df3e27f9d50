package import DualSendCore
import DualSendRemapping

extension ParityReport {
  /// Reads a report that ``json(_:)`` wrote.
  ///
  /// - Parameter name: what diagnostics call it, usually the file's name.
  /// - Throws: every finding of one pass; a count that is missing or below 0 is one.
  package init(_ bytes: some Sequence<UInt8>, name: String? = nil) throws(DocumentError) {
    // Reports of many events are long; the default limit is meant for what people edit.
    let reader = try DocumentReader(bytes, name: name, reader: JSONReader(maximumBytes: 1 << 30))
    var file = ParityReportReader(reader: reader)
    let report = file.read()
    guard let report, !file.reader.hasErrors else { throw DocumentError(file.reader.diagnostics) }
    self = report
  }
}

/// Takes a report's JSON apart.
private struct ParityReportReader {
  /// Far above any stream, and low enough that no sum of a report's counts can overflow.
  static let maximumCount: Int64 = 1_000_000_000_000

  typealias Members = [String: JSONNode.Member]

  var reader: DocumentReader

  init(reader: DocumentReader) {
    self.reader = reader
  }

  mutating func read() -> ParityReport? {
    let root = reader.document.root
    guard reader.hasFormat(ParityReport.formatVersion) else { return nil }
    let known = ["formatVersion", "join", "membership", "gate", "calibrated", "old", "new", "total", "events"]
    let path = EventPath()
    guard let members = reader.members(of: root, at: path, known: known),
      let join = reader.member("join", of: members, in: root, at: path).flatMap({ joinRule($0.value) })
    else { return nil }
    var report = ParityReport(join: join)
    if let member = reader.member("membership", of: members, in: root, at: path) {
      report.membership = membership(member.value) ?? .everywhere
    }
    if let calibrated = reader.member("calibrated", of: members, in: root, at: path) {
      report.isCalibrated = reader.bool(calibrated.value, at: path.appending("calibrated")) ?? false
    }
    report.old = stream("old", in: members, of: root)
    report.new = stream("new", in: members, of: root)
    if let events = reader.member("events", of: members, in: root, at: path) {
      for (node, path) in reader.elements(events.value, at: path.appending("events")) ?? [] {
        if let event = event(node, at: path) { report.events.append(event) }
      }
    }
    return report
  }

  private mutating func joinRule(_ node: JSONNode) -> JoinRule? {
    let path = EventPath([.key("join")])
    guard let members = reader.members(of: node, at: path, known: ["by", "parameter", "unit", "window"]),
      let by = reader.member("by", of: members, in: node, at: path),
      let word = reader.word(
        by.value, at: path.appending("by"), among: ["eventID", "order"], code: .wrongType)
    else { return nil }
    if word == "eventID" { return .eventID(parameter: text("parameter", in: members, at: path)) }
    let unit = text("unit", in: members, at: path).flatMap { try? KeyPathPattern($0) }
    var window: Int64?
    if let member = members["window"], !member.value.isNull {
      window = reader.integer(member.value, at: path.appending("window"))
    }
    return .order(unit: unit, window: window)
  }

  private mutating func membership(_ node: JSONNode) -> StreamMembership.Summary? {
    let path = EventPath([.key("membership")])
    guard let members = reader.members(of: node, at: path, known: ["by", "in", "revisions", "late"]),
      let by = reader.member("by", of: members, in: node, at: path),
      let word = reader.word(
        by.value, at: path.appending("by"), among: ["everywhere", "loneAllowed", "rollout"], code: .wrongType)
    else { return nil }
    switch word {
    case "rollout":
      guard let late = reader.member("late", of: members, in: node, at: path),
        let milliseconds = reader.integer(late.value, at: path.appending("late")),
        let revisions = reader.member("revisions", of: members, in: node, at: path)
      else { return nil }
      let numbers = reader.elements(revisions.value, at: path.appending("revisions")) ?? []
      return .rollout(revisions: numbers.compactMap { reader.integer($0.0, at: $0.1) }, late: milliseconds)
    case "loneAllowed":
      let sides = texts("in", in: members, at: path)
      return .loneAllowed(in: Set(StreamSide.allCases.filter { sides.contains($0.word) }))
    default: return .everywhere
    }
  }

  private mutating func stream(_ key: String, in members: Members, of root: JSONNode) -> ParityReport.Stream {
    var stream = ParityReport.Stream()
    let path = EventPath([.key(key)])
    guard let node = reader.member(key, of: members, in: root, at: EventPath())?.value,
      let members = reader.members(of: node, at: path, known: ["lines", "malformed", "malformedLines"])
    else { return stream }
    stream.lines = count("lines", in: members, of: node, at: path) ?? 0
    stream.malformed = count("malformed", in: members, of: node, at: path) ?? 0
    if let lines = members["malformedLines"] {
      for (node, path) in reader.elements(lines.value, at: path.appending("malformedLines")) ?? [] {
        if let line = reader.integer(node, at: path) { stream.malformedLines.append(Int(clamping: line)) }
      }
    }
    return stream
  }

  private mutating func event(_ node: JSONNode, at path: EventPath) -> EventParity? {
    let known =
      EventParity.counters.map(\.key) + EventParity.examples.map(\.key) + ParityMeasure.allCases.map(\.rawValue) + [
        "name", "newName", "differing", "failing", "fields",
      ]
    guard let members = reader.members(of: node, at: path, known: known),
      let name = reader.member("name", of: members, in: node, at: path),
      let nameText = reader.string(name.value, at: path),
      let newName = reader.member("newName", of: members, in: node, at: path),
      let newNameText = reader.string(newName.value, at: path)
    else { return nil }
    var event = EventParity(name: nameText, newName: newNameText)
    for (key, counter) in EventParity.counters {
      event[keyPath: counter] = count(key, in: members, of: node, at: path) ?? 0
    }
    for measure in ParityMeasure.allCases {
      guard let member = reader.member(measure.rawValue, of: members, in: node, at: path) else { continue }
      event[measure] =
        member.value.isNull ? nil : reader.integer(member.value, at: path.appending(measure.rawValue))
    }
    for (key, ids) in EventParity.examples { event[keyPath: ids] = texts(key, in: members, at: path) }
    if let fields = reader.member("fields", of: members, in: node, at: path) {
      for (node, path) in reader.elements(fields.value, at: path.appending("fields")) ?? [] {
        if let field = field(node, at: path) { event.fields.append(field) }
      }
    }
    return event
  }

  private mutating func field(_ node: JSONNode, at path: EventPath) -> FieldParity? {
    let known = ["path", "noise", "examples"] + FieldOutcome.allCases.map(\.rawValue)
    guard let members = reader.members(of: node, at: path, known: known),
      let fieldPath = reader.member("path", of: members, in: node, at: path),
      let text = reader.string(fieldPath.value, at: path.appending("path"))
    else { return nil }
    var field = FieldParity(path: text)
    field.noise = count("noise", in: members, of: node, at: path) ?? 0
    field.examples = texts("examples", in: members, at: path)
    for outcome in FieldOutcome.allCases {
      field.counts[outcome] = count(outcome.rawValue, in: members, of: node, at: path) ?? 0
    }
    return field
  }

  private mutating func count(_ key: String, in members: Members, of node: JSONNode, at path: EventPath) -> Int? {
    guard let member = reader.member(key, of: members, in: node, at: path),
      let count = reader.integer(member.value, at: path.appending(key))
    else { return nil }
    guard (0...Self.maximumCount).contains(count) else {
      reader.wrongType(member.value, at: path.appending(key), expected: "a count")
      return nil
    }
    return Int(clamping: count)
  }

  private mutating func text(_ key: String, in members: Members, at path: EventPath) -> String? {
    guard let member = members[key], !member.value.isNull else { return nil }
    return reader.string(member.value, at: path.appending(key))
  }

  private mutating func texts(_ key: String, in members: Members, at path: EventPath) -> [String] {
    guard let member = members[key] else { return [] }
    var texts: [String] = []
    for (node, path) in reader.elements(member.value, at: path.appending(key)) ?? [] {
      if let text = reader.string(node, at: path) { texts.append(text) }
    }
    return texts
  }
}

extension JSONNode {
  fileprivate var isNull: Bool {
    if case .null = content { return true }
    return false
  }
}
