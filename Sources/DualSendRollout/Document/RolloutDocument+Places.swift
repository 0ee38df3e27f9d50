public import DualSendCore

extension RolloutDocument {
  /// Stores the lines and columns that later findings may refer to.
  mutating func locate(in source: SourceText) {
    let all = [offsets] + rules.map(\.offsets)
    positions = source.positions(
      at: Set(all.flatMap { [$0.start, $0.oldLogger, $0.newTracker, $0.revision].compactMap { $0 } })
        .union((sinks + rules.flatMap(\.sinks)).map(\.offset)))
    sourceName = source.name
  }

  /// The position of the revision; `nil` for a document that was not read from text.
  public var revisionPosition: DocumentDiagnostic.Position? {
    offsets.revision.flatMap { positions[$0] }
  }

  /// A finding about a rule or the top level, or about one of its flags.
  public func finding(
    _ severity: DocumentDiagnostic.Severity, _ code: DocumentDiagnostic.Code, _ message: String, at place: FlagPlace,
    flag: FlagSet = [], notes: [String] = [], help: String? = nil
  ) -> DocumentDiagnostic {
    let offsets = if case .rule(let index) = place { rules[index].offsets } else { self.offsets }
    var (offset, path) = (offsets.start, self.path(of: place))
    if flag == .oldLogger, let flagOffset = offsets.oldLogger {
      (offset, path) = (flagOffset, path.appending(RolloutSide.old.flagKey))
    } else if flag == .newTracker, let flagOffset = offsets.newTracker {
      (offset, path) = (flagOffset, path.appending(RolloutSide.new.flagKey))
    }
    return DocumentDiagnostic(
      severity, code, message, file: sourceName, position: positions[offset], path: path, notes: notes, help: help)
  }

  /// A finding about a sink's share in a rule or the top level.
  public func finding(
    _ severity: DocumentDiagnostic.Severity, _ code: DocumentDiagnostic.Code, _ message: String, at place: FlagPlace,
    sink: RolloutSinkShare, help: String? = nil
  ) -> DocumentDiagnostic {
    let path = ["sinks", sink.sink.side.rawValue, sink.sink.id].reduce(self.path(of: place)) { $0.appending($1) }
    return DocumentDiagnostic(
      severity, code, message, file: sourceName, position: positions[sink.offset], path: path, help: help)
  }

  private func path(of place: FlagPlace) -> EventPath {
    if case .rule(let index) = place { EventPath().appending("rules").appending(index) } else { EventPath() }
  }

  /// The term that messages use for a rule or the top level: `rule 2 "home first"`, `the top level`.
  public func name(of place: FlagPlace) -> String {
    switch place {
    case .topLevel: "the top level"
    case .rule(let index): "rule \(index + 1)" + (rules[index].name.map { " \"\($0)\"" } ?? "")
    }
  }

  /// Whether a rule or the top level allows units without a sink.
  public func allowsNeither(at place: FlagPlace) -> Bool {
    switch place {
    case .topLevel: allowNeither
    case .rule(let index): rules[index].allowNeither
    }
  }
}
