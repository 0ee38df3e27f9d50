import DualSendCore

/// `"sinks": { "new": { "amplitude": 25 } }`: the shares of named sinks.
extension RolloutDocumentReader {
  /// The highest number of named sinks. Each is proved separately.
  static let maximumSinks = 64

  /// Reads the sinks of the top level, or those of a rule, which must be named by the top level, so that a typo is an error.
  mutating func readSinks(
    _ member: JSONNode.Member?, at path: EventPath, ofTopLevel isTopLevel: Bool
  ) -> [RolloutSinkShare] {
    guard let member else { return [] }
    let path = path.appending(member.key)
    if formatVersion < RolloutDocument.formatVersionOfSinks {
      reader.report(
        .sinksNeedFormat, "`sinks` needs format version \(RolloutDocument.formatVersionOfSinks)",
        at: member.keyOffset, path: path,
        help:
          "write `\"formatVersion\": \(RolloutDocument.formatVersionOfSinks)`; apps that cannot read that refuse the"
          + " document and keep the one they have")
    }
    let sides = RolloutSide.allCases.map(\.rawValue)
    guard let members = reader.members(of: member.value, at: path, known: sides) else { return [] }
    return RolloutSide.allCases.flatMap { side -> [RolloutSinkShare] in
      guard let node = members[side.rawValue]?.value else { return [] }
      let path = path.appending(side.rawValue)
      let entries = reader.entries(node, at: path, expected: "an object of sinks, each with its share") ?? []
      return entries.compactMap { entry in
        let path = path.appending(entry.key)
        let isRight = isTopLevel ? name(entry, on: side, at: path) : knows(entry, on: side, at: path)
        // Reads the share even if the name is invalid, to report all errors.
        guard let flag = flag(entry.value, at: path), isRight else { return nil }
        return RolloutSinkShare(
          sink: RolloutSink(side: side, id: entry.key), flag: flag, offset: entry.value.offset)
      }
    }
  }

  /// Registers a sink that the top level names.
  ///
  /// - Returns: whether the name is valid.
  private mutating func name(_ entry: JSONNode.Member, on side: RolloutSide, at path: EventPath) -> Bool {
    if let principal = RolloutSink.principals.first(where: { $0.id.isExactly(entry.key) }) {
      reader.report(
        .invalidSinkID, "the flag `\(principal.side.flagKey)` decides about `\(entry.key)`, and nothing else does",
        at: entry.keyOffset, path: path, help: "remove it; `sinks` is for further sinks of a side")
      return false
    }
    guard RolloutSink.isWellFormed(entry.key) else {
      reader.report(
        .invalidSinkID, "`\(entry.key)` is not a sink's id", at: entry.keyOffset, path: path,
        help: "an id is 1 to \(RolloutSink.maximumLength) of the characters A-Z, a-z, 0-9, `_`, `.` and `-`")
      return false
    }
    if let other = sinks.first(where: { $0.sink.id.isExactly(entry.key) }) {
      let line = reader.document.source.position(at: other.offset).line
      reader.report(
        .repeatedSink, "`\(entry.key)` is a sink of both sides", at: entry.keyOffset, path: path,
        notes: ["line \(line) names it on the \(other.sink.side.rawValue) side"],
        help: "give each sink an id of its own")
      return false
    }
    guard sinks.count < Self.maximumSinks else {
      reader.report(
        .tooManySinks, "a document names at most \(Self.maximumSinks) sinks", at: entry.keyOffset, path: path,
        help: "leave out those that follow their side's flag")
      return false
    }
    sinks.append(NamedEntry(sink: RolloutSink(side: side, id: entry.key), offset: entry.keyOffset))
    return true
  }

  /// Whether the top level names a sink.
  private mutating func knows(_ entry: JSONNode.Member, on side: RolloutSide, at path: EventPath) -> Bool {
    if sinks.contains(where: { $0.sink.isNamed(entry.key, on: side) }) { return true }
    let known = sinks.filter { $0.sink.side == side }.map(\.sink.id)
    let other = sinks.first { $0.sink.side != side && $0.sink.id.isExactly(entry.key) }?.sink.side
    let help =
      other.map { "it is a sink of the \($0.rawValue) side" }
      ?? nearestWord(to: entry.key, among: known).map { "did you mean `\($0)`?" }
      ?? "name it there first; at 100 it follows its side's flag"
    reader.report(
      .unknownSink, "the top level's `sinks.\(side.rawValue)` does not name `\(entry.key)`", at: entry.keyOffset,
      path: path, help: help)
    return false
  }
}
