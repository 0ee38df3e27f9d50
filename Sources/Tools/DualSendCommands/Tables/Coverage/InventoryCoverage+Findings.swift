import DualSend
import DualSendCommandLine
import DualSendCore
import DualSendRemapping
import DualSendSource
import DualSendTables

extension InventoryCoverage {
  /// All findings, each with its position in the code or in the table.
  ///
  /// - Parameters:
  ///   - tableName: the table's name in findings.
  ///   - places: the positions of the table's rows.
  ///   - eventsName: the stream's name in findings.
  ///   - isStrict: whether a key that is kept without a row is an error as well.
  ///   - isGrouped: whether several call sites share one finding.
  func findings(
    tableName: String?, _ places: TablePlaces, eventsName: String?, isStrict: Bool, isGrouped: Bool
  ) -> [DocumentDiagnostic] {
    openCallSiteFindings(isStrict: isStrict, isGrouped: isGrouped) + unsentFindings(tableName, places) + typeConflicts
      + streamFindings(eventsName)
  }

  // MARK: Call sites

  /// An event or key that a call site sends and the table does not mention.
  private struct OpenUse {
    let site: CallSite
    let event: SentEvent
    /// `nil` if the event has no entry.
    let key: String?
    let unmapped: RemappingTable.Unmapped

    /// The subject of a finding: an event, or a key and its fate, in any event.
    struct Subject: Hashable {
      let event: ExactText?
      let key: ExactText?
      let unmapped: RemappingTable.Unmapped
    }

    var subject: Subject {
      Subject(event: key == nil ? ExactText(event.name) : nil, key: key.map { ExactText($0) }, unmapped: unmapped)
    }
  }

  private func openUses(of table: RemappingTable) -> [OpenUse] {
    let entries = table.rules.keys.sorted(by: String.byteOrder)
    return sent.flatMap { site, event -> [OpenUse] in
      let hasEntry = event.isPattern ? entries.contains(where: event.mayBeNamed) : table.hasEntry(for: event.name)
      guard hasEntry else { return [OpenUse(site: site, event: event, key: nil, unmapped: .keep)] }
      if event.isPattern { return [] }
      return keysWithoutRow(of: event, table.rule(for: event.name)).map { key, unmapped in
        OpenUse(site: site, event: event, key: key, unmapped: unmapped)
      }
    }
  }

  /// One finding for each event without an entry and for each key without a row, at the first call site that sends it. If
  /// not grouped, one for each call site.
  private func openCallSiteFindings(isStrict: Bool, isGrouped: Bool) -> [DocumentDiagnostic] {
    guard let table else { return [] }
    let uses = openUses(of: table)
    guard isGrouped else { return uses.map { finding([$0], table, isStrict: isStrict) } }
    var order: [OpenUse.Subject] = []
    var groups: [OpenUse.Subject: [OpenUse]] = [:]
    for use in uses {
      if groups[use.subject] == nil { order.append(use.subject) }
      groups[use.subject, default: []].append(use)
    }
    return order.compactMap { groups[$0] }.map { finding($0, table, isStrict: isStrict) }
  }

  /// - Parameter uses: at least one, all of one subject.
  private func finding(_ uses: [OpenUse], _ table: RemappingTable, isStrict: Bool) -> DocumentDiagnostic {
    let (site, event) = (uses[0].site, uses[0].event)
    let notes = uses.count > 1 ? ["and at \((uses.count - 1).counted("other call site"))"] : []
    guard let key = uses[0].key else {
      if event.isPattern {
        return site.finding(
          .error, .eventWithoutEntry, "no entry of the table matches the names `\(event.name)`", notes: notes)
      }
      let entries = table.rules.keys.sorted(by: String.byteOrder)
      let nearest = nearestWord(to: event.name, among: entries).map { "did you mean `\($0)`? " } ?? ""
      return site.finding(
        .error, .eventWithoutEntry, "the event `\(event.name)` has no entry in the table", notes: notes,
        help: nearest + "add an entry, or `{}` if nothing changes")
    }
    let unmapped = uses[0].unmapped
    let fate = unmapped == .keep ? "it stays unchanged" : unmapped == .drop ? "it is dropped" : "it is reported"
    let others = Set(uses.map { ExactText($0.event.name) }).subtracting([ExactText(event.name)]).sorted()
    let rest = others.count > 3 ? " and \((others.count - 3).grouped) more" : ""
    let alsoIn = others.isEmpty ? [] : ["nor in " + others.prefix(3).map { "`\($0)`" }.joined(separator: ", ") + rest]
    return site.finding(
      isStrict || unmapped != .keep ? .error : .warning, .keyWithoutRow,
      "`\(key)` of `\(event.name)` has no row: \(fate)", notes: alsoIn + notes, help: "add a row, or `null` to drop it")
  }

  private func keysWithoutRow(of event: SentEvent, _ rule: EventRule) -> [(String, RemappingTable.Unmapped)] {
    event.parameters.filter { parameter in
      guard let key = try? KeyPathPattern(parameter.key) else { return true }
      return !rule.rows.contains { row in
        key.steps.starts(with: row.source.steps)
          // A row that takes a part of an empty container covers the container.
          || (parameter.types == [.object] || parameter.types == [.array]) && row.source.steps.starts(with: key.steps)
      }
    }.map { ($0.key, rule.unmapped) }
  }

  /// Keys to which two call sites give different types.
  private var typeConflicts: [DocumentDiagnostic] {
    struct Key: Hashable {
      let event: ExactText
      let key: ExactText
    }
    var first: [Key: (types: [SentType], site: CallSite)] = [:]
    var findings: [DocumentDiagnostic] = []
    for (site, event) in sent {
      for parameter in event.parameters {
        let types = parameter.types.filter { $0 != .null && $0 != .unknown }
        let key = Key(event: ExactText(event.name), key: ExactText(parameter.key))
        guard !types.isEmpty else { continue }
        guard let other = first[key] else {
          first[key] = (types, site)
          continue
        }
        guard other.types != types else { continue }
        let words = [types, other.types].map { $0.map(\.rawValue).joined(separator: " or ") }
        findings.append(
          site.finding(
            .error, .typeConflict,
            "`\(parameter.key)` of `\(event.name)` is \(words[0]) here and \(words[1]) elsewhere",
            notes: ["\(words[1]) at \(other.site.file):\(other.site.line):\(other.site.column)"],
            help: "send one type"))
      }
    }
    return findings
  }

  // MARK: The table and the stream

  private func unsentFindings(_ tableName: String?, _ places: TablePlaces) -> [DocumentDiagnostic] {
    unsent().filter { $0.openCallSites == 0 }.map { unsent in
      let path = EventPath([.key("events"), .key(unsent.event.text)])
      if let source = unsent.source {
        return DocumentDiagnostic(
          .warning, .unsentRow, "no call site sends `\(source)` with `\(unsent.event)`", file: tableName,
          position: places.place(of: TableCoverage.Row(event: unsent.event, source: source)),
          path: path.appending("parameters").appending(source.description),
          help: "remove the row if no app in use sends it any more")
      }
      return DocumentDiagnostic(
        .warning, .unsentRow, "no call site sends `\(unsent.event)`", file: tableName,
        position: places.place(ofEvent: unsent.event), path: path,
        help: "remove the entry if no app in use sends it any more")
    }
  }

  private func streamFindings(_ eventsName: String?) -> [DocumentDiagnostic] {
    guard let seen else { return [] }
    let unknown = unlisted().filter { $0.openCallSites == 0 }.map { unlisted in
      DocumentDiagnostic(
        .warning, .seenWithoutCallSite,
        "`\(unlisted.event)` was seen \((seen[unlisted.event] ?? 0).counted("time")), and no call site sends it",
        file: eventsName,
        help: "does another app or an older version send it, or is a logging function missing from the inventory?")
    }
    var known: Set<ExactText> = []
    let unseen = sent.compactMap { site, event -> DocumentDiagnostic? in
      guard !event.isPattern, seen[ExactText(event.name)] == nil, known.insert(ExactText(event.name)).inserted else {
        return nil
      }
      return site.finding(
        .warning, .neverSeen, "`\(event.name)` was never seen", help: "record longer, or is the call never reached?")
    }
    return unknown + unseen
  }
}

extension CallSite {
  fileprivate func finding(
    _ severity: DocumentDiagnostic.Severity, _ code: DocumentDiagnostic.Code, _ message: String,
    notes: [String] = [], help: String? = nil
  ) -> DocumentDiagnostic {
    let inside = [type, function].filter { !$0.isEmpty }.joined(separator: ".")
    return DocumentDiagnostic(
      severity, code, message, file: file, position: position,
      notes: notes + (inside.isEmpty ? [] : ["in `\(inside)`"]), help: help)
  }
}

extension DocumentDiagnostic.Code {
  /// A call site sends an event without an entry in the table.
  static let eventWithoutEntry = DocumentDiagnostic.Code(rawValue: "DS1002")
  /// A call site sends a key without a row.
  static let keyWithoutRow = DocumentDiagnostic.Code(rawValue: "DS1003")
  /// No call site can send the key of a row, or the event of an entry.
  static let unsentRow = DocumentDiagnostic.Code(rawValue: "DS1004")
  /// Two call sites give one key different types.
  static let typeConflict = DocumentDiagnostic.Code(rawValue: "DS1005")
  /// An event was seen that no call site sends.
  static let seenWithoutCallSite = DocumentDiagnostic.Code(rawValue: "DS1006")
  /// A call site sends an event that was never seen.
  static let neverSeen = DocumentDiagnostic.Code(rawValue: "DS1007")
}
