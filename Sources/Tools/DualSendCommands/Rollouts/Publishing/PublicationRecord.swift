import DualSend
import DualSendCommandLine
package import DualSendCore
import DualSendParity
package import DualSendRollout
import DualSendRolloutAnalysis
import Foundation

/// The record of what was published and tried, as JSON lines: DOCUMENT.history.jsonl for a file, a file of the user for an
/// address.
///
/// A line is appended by one write under a lock, and never changed. An attempt is a line, and its outcome is a later one.
/// Entries are sorted by revision, not by a machine's clock, and named by the start of the SHA-256 hash of their line.
package struct PublicationRecord: Sendable {
  package struct Entry: Sendable, Hashable {
    private static let idLength = 10
    /// The name of the entry.
    package let id: String
    package let publication: Publication
    package fileprivate(set) var outcome: Publication.Outcome

    /// - Parameter line: without the line break.
    fileprivate init?(_ line: [UInt8], _ value: EventValue) {
      guard let publication = Publication(value) else { return nil }
      (id, self.publication) = (Self.id(of: line), publication)
      outcome = publication.isAttempt ? .unknown(nil) : .published
    }

    fileprivate static func id(of line: [UInt8]) -> String { String(DocumentHash.text(of: line).prefix(idLength)) }

    package var revision: Int64? { publication.after.revision }
    package var isUnknown: Bool { if case .unknown = outcome { true } else { false } }
  }

  /// What was read.
  package struct Reading: Sendable {
    /// The entries, those with the lowest revision first.
    package fileprivate(set) var entries: [Entry] = []
    /// The numbers of the lines that are not entries.
    fileprivate var badLines: [Int] = []
    /// How many earlier entries are left out.
    package fileprivate(set) var unread = 0
  }

  /// How many entries are read to find a kill or an attempt.
  package static let depth = 1000

  package let path: String
  /// A record beside the file that a link leads to now.
  private var other: String?

  package init(_ path: String) { self.path = path }

  /// The record of a document: beside the first link of its path, which stays when the link is made to lead elsewhere; else
  /// beside the file. What is recorded beside the file that the link leads to is read too.
  package init(besideDocument path: String) {
    let suffix = ".history.jsonl"
    self.init(InputFile.beforeLinks(path) + suffix)
    let target = InputFile.resolvingLinks(path) + suffix
    if target != InputFile.resolvingLinks(self.path) { other = target }
  }

  /// The record of an address, in a folder of the user (XDG Base Directory Specification).
  ///
  /// - Returns: `nil` if the environment names no home.
  package init?(of address: DocumentAddress, environment: [String: String]) {
    let named = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    guard let home = named ?? environment["HOME"].map({ $0 + "/.local/state" }) else { return nil }
    // A query can hold a token, and changes with each signature.
    let place = address.place
    let name = String(
      place.unicodeScalars.map { $0.isASCII && $0.properties.isAlphabetic ? Character($0) : "-" }.suffix(60))
    self.init("\(home)/dualsend/\(name)-\(DocumentHash.text(of: Array(place.utf8)).prefix(12)).history.jsonl")
  }

  // MARK: Reading

  /// What tells that something was recorded.
  package func mark() throws -> [Int64] {
    try [path, other].compactMap(\.self).flatMap { try OpenedFile.ifAny($0)?.mark ?? [] }
  }

  /// Reads the entries with the highest revisions.
  package func read(last limit: Int) throws -> Reading {
    var reading = Reading()
    var seen: Set<String> = []
    var outcomes: [String: Publication.Outcome] = [:]
    func sort() {
      // Entries of one revision stay in order.
      reading.entries = reading.entries.enumerated()
        .sorted { ($0.element.revision ?? .min, $0.offset) < ($1.element.revision ?? .min, $1.offset) }.map(\.element)
      let excess = max(0, reading.entries.count - limit)
      reading.entries.removeFirst(excess)
      reading.unread += excess
    }
    try forEachLine { line, number in
      guard !line.isEmpty else { return }
      let value = try? JSONReader().value(line)
      if let value, let (attempt, outcome) = Publication.outcome(value) {
        if outcomes[attempt] != .published { outcomes[attempt] = outcome }
      } else if let entry = value.flatMap({ Entry(line, $0) }) {
        if seen.insert(entry.id).inserted { reading.entries.append(entry) }
        if reading.entries.count >= 2 * limit { sort() }
      } else if let number {
        reading.badLines.append(number)
      }
    }
    sort()
    for index in reading.entries.indices {
      if let outcome = outcomes[reading.entries[index].id] { reading.entries[index].outcome = outcome }
    }
    return reading
  }

  /// The entry with a name, or with the start of a name.
  ///
  /// - Throws: ``CommandError`` if there is none, or several.
  package func entry(_ name: String) throws -> Entry {
    let found =
      name.count < 4 ? [] : try read(last: .max / 4).entries.filter { $0.id.hasPrefix(name) || name.hasPrefix($0.id) }
    guard let entry = found.first else {
      throw CommandError("\(path) has no entry `\(name)`", help: "`dualsend history DOCUMENT` lists the entries")
    }
    guard found.count == 1 else { throw CommandError("several entries begin with `\(name)`", help: "add characters") }
    return entry
  }

  /// The highest revision that was published, or may have been; `nil` if nothing is recorded.
  package func highestRevision() throws -> Int64? {
    try read(last: Self.depth).entries.compactMap(\.revision).max()
  }

  /// - Parameter body: its number is `nil` for a line of another file.
  private func forEachLine(_ body: ([UInt8], Int?) throws -> Void) throws {
    for file in [other, path].compactMap(\.self) {
      try Self.refuseOtherFiles(file)
      guard var reader = try OpenedFile.ifAny(file).map({ LineReader($0.handle) }) else { continue }
      while let line = reader.next() {
        // Git may write CRLF.
        let bytes = line.bytes.last == UInt8(ascii: "\r") ? line.bytes.dropLast() : line.bytes
        try body(bytes, file == path ? line.number : nil)
      }
      if let failure = reader.failure { throw CommandError("cannot read \(file): \(failure.localizedDescription)") }
    }
  }

  // MARK: Writing

  /// The file, locked until it is deallocated.
  package final class Hold: Sendable {
    private let handle: FileHandle

    fileprivate init(_ handle: FileHandle) { self.handle = handle }

    /// Appends an entry.
    ///
    /// - Returns: its name.
    @discardableResult
    package func append(_ publication: Publication) throws -> String { try append(publication.json) }

    /// Appends with one write, and waits until it is on disk. A line that was left incomplete stays, and is ended.
    func append(_ value: EventValue) throws -> String {
      let size = try handle.seekToEnd()
      let text = Array(value.canonicalText.utf8)
      var line = Data(text + [UInt8(ascii: "\n")])
      if size > 0 {
        try handle.seek(toOffset: size - 1)
        if try handle.read(upToCount: 1) != Data("\n".utf8) { line.insert(UInt8(ascii: "\n"), at: 0) }
      }
      try handle.write(contentsOf: line)
      try handle.synchronize()
      return Entry.id(of: text)
    }
  }

  /// Locks the file for a publication. Makes its folder, if necessary.
  ///
  /// - Parameter waits: whether to wait for another process.
  /// - Throws: an error for which ``isBusy(_:)`` is true if another process has it.
  package func hold(waits: Bool) throws -> Hold {
    try Self.refuseOtherFiles(path)
    let folder = (path as NSString).deletingLastPathComponent
    if !folder.isEmpty, !FileManager.default.fileExists(atPath: folder) {
      // It tells who does what to which document.
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
    return Hold(try LockedFile.lock(path, waits: waits))
  }

  /// A pipe would be waited for, and keeps nothing.
  private static func refuseOtherFiles(_ path: String) throws {
    guard FileManager.default.fileExists(atPath: path), !InputFile.isRegularFile(path) else { return }
    throw CommandError("\(path) is not a file, so it keeps no record", help: "name a file with --history")
  }

  package static func isBusy(_ error: any Error) -> Bool { error is LockedFile.Busy }

  /// A warning if the file cannot be read or written now. Changes nothing.
  package func obstacle() -> DocumentDiagnostic? {
    do {
      _ = try read(last: 1)
      if FileManager.default.fileExists(atPath: path) {
        guard access(path, W_OK) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EACCES) }
        return nil
      }
      // The nearest folder that there is must take a new entry.
      var folder = URL(fileURLWithPath: path).deletingLastPathComponent()
      while folder.path != "/", !FileManager.default.fileExists(atPath: folder.path) {
        folder.deleteLastPathComponent()
      }
      guard access(folder.path, W_OK) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EACCES) }
      return nil
    } catch { return unrecorded(error) }
  }

  /// Appends an entry, or returns a warning: the publication counts even if it is not recorded.
  package func add(_ publication: Publication) -> [DocumentDiagnostic] {
    do {
      try hold(waits: true).append(publication)
      return []
    } catch { return [unrecorded(error)] }
  }

  func unrecorded(_ error: any Error) -> DocumentDiagnostic {
    let reason =
      (error as? CommandError)?.message ?? (error as? POSIXError).map { String(cString: strerror($0.code.rawValue)) }
    return DocumentDiagnostic(
      .warning, .unrecorded, "the publication is not recorded: \(reason ?? error.localizedDescription)",
      file: path,
      help: "correct the path, or name another with --history; record it later with `dualsend history --add`")
  }
}

extension PublicationRecord.Reading {
  private static let shownLines = 5

  /// Warnings about bad lines, and about a document that is not the one recorded last.
  package func findings(live bytes: [UInt8]?, file: String) -> [DocumentDiagnostic] {
    var findings = badLines.prefix(Self.shownLines).map { line in
      DocumentDiagnostic(
        .warning, .badEntry, "line \(line) is not an entry of the record, or is damaged; it is skipped", file: file,
        help: "after a merge, keep the lines of both sides and remove the marks")
    }
    if badLines.count > Self.shownLines {
      findings.append(
        DocumentDiagnostic(
          .warning, .badEntry, "\((badLines.count - Self.shownLines).counted("more line")) are not entries", file: file)
      )
    }
    if let attempt = openAttempt, let revision = attempt.revision {
      let when = Timestamp.text(milliseconds: attempt.publication.time)
      findings.append(
        DocumentDiagnostic(
          .warning, .unknownOutcome, "revision \(revision) was sent at \(when), its outcome is not known", file: file,
          help: "look again with `dualsend publish --resume --to DOCUMENT`"))
    }
    guard let bytes, let last = lastPublished else { return findings }
    let live = Publication.Version(bytes)
    guard live.hash != last.publication.after.hash else { return findings }
    func words(_ revision: Int64?) -> String { revision.map(String.init) ?? "unknown" }
    findings.append(
      DocumentDiagnostic(
        .warning, .changedOutside,
        "the document was changed without a record: revision \(words(last.publication.after.revision))"
          + " → \(words(live.revision))", file: file,
        help: "record it with `dualsend history DOCUMENT --add --message …`"))
    return findings
  }

  /// The last entry that was published completely.
  package var lastPublished: PublicationRecord.Entry? { entries.last { $0.outcome == .published } }

  /// The attempt whose outcome is not known, if nothing was published after it.
  package var openAttempt: PublicationRecord.Entry? {
    entries.last.flatMap { $0.isUnknown ? $0 : nil }
  }

  /// The last kill that was published, unless it was taken back.
  package var killInForce: PublicationRecord.Entry? {
    guard let kill = lastKill, undo(of: kill) == nil else { return nil }
    return kill
  }

  /// The kills that a document keeps: no unit gets their events, but for those that rules name.
  package func kills(keptBy document: RolloutDocument) throws -> [PublicationRecord.Entry] {
    try entries.filter { kill in
      let patterns = kill.publication.patterns
      guard kill.outcome == .published, !patterns.isEmpty, undo(of: kill) == nil else { return false }
      return try RolloutLowering(patterns, to: .none).rest(in: document).allSatisfy { !$0.units.isEmpty }
    }
  }

  var lastKill: PublicationRecord.Entry? { entries.last { $0.outcome == .published && $0.publication.by == .kill } }

  /// The publication that took a kill back.
  func undo(of kill: PublicationRecord.Entry) -> PublicationRecord.Entry? {
    entries.last { $0.outcome == .published && $0.publication.undoes == kill.id }
  }
}

// MARK: - Rendering

extension PublicationRecord.Entry {
  private static let messageWidth = 60

  fileprivate static let titles = ["entry", "time", "revision", "user", "by", "message"]

  /// The cells of a table; ``titles`` names them.
  fileprivate var cells: [String] {
    [
      id, Timestamp.text(milliseconds: publication.time), revisions, publication.user,
      publication.by.rawValue + (publication.backTo.map { " to \($0)" } ?? ""),
      (outcomeWords ?? publication.message ?? "").printable(limit: Self.messageWidth),
    ]
  }

  /// `nil` if it was published.
  private var outcomeWords: String? {
    switch outcome {
    case .published: nil
    case .refused(let reason): "REFUSED: \(reason)"
    case .unknown(let reason): "NOT KNOWN: \(reason ?? "interrupted")"
    }
  }

  private var revisions: String {
    func words(_ version: Publication.Version) -> String { version.revision.map(String.init) ?? "?" }
    return (publication.before.map { "\(words($0)) → " } ?? "") + words(publication.after)
  }

  /// Everything but the document's text.
  package var text: String {
    let limit = 10_000
    var lines = zip(Self.titles, cells).dropLast().map { "\($0): \($1.printable())" }
    lines.append("sha256: \(publication.after.hash.printable())")
    lines += outcomeWords.map { ["outcome: \($0.printable())"] } ?? []
    // The message keeps its lines.
    if let message = publication.message {
      lines +=
        [""]
        + message.split(separator: "\n", omittingEmptySubsequences: false).map { "    " + $0.printable(limit: limit) }
    }
    if let plan = publication.plan { lines += ["", plan] }
    if let gate = publication.gate { lines += ["", "gate: " + gate.canonicalText.printable(limit: limit)] }
    return lines.joined(separator: "\n")
  }

  /// The entry with its name.
  ///
  /// - Parameter isWhole: whether with the document's text, the plan and the gate.
  package func json(isWhole: Bool) -> EventValue {
    guard case .object(var members) = publication.json else { return .null }
    if !isWhole { for key in ["text", "plan", "gate"] { members[key] = nil } }
    members["id"] = .string(id)
    members["outcome"] = .string(outcome.word)
    members["reason"] = outcome.reason.map { .string($0) }
    return .object(members)
  }
}

extension [PublicationRecord.Entry] {
  var table: TextTable {
    var table = TextTable(PublicationRecord.Entry.titles.map { .words($0) })
    for entry in self { table.addRow(entry.cells) }
    return table
  }
}
