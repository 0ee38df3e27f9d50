import DualSend
import DualSendCommandLine
package import DualSendCore
import DualSendParity
import DualSendRolloutAnalysis
import Foundation

/// The record of what was published, as JSON lines beside the document: DOCUMENT.history.jsonl.
///
/// A line is appended by one write under a lock, and never changed. Lines may be in any order, as after a merge: entries
/// are sorted by time, and named by the start of the SHA-256 hash of their line.
package struct PublicationRecord: Sendable {
  package struct Entry: Sendable, Hashable {
    private static let idLength = 10
    /// The name of the entry.
    package let id: String
    package let publication: Publication

    /// - Parameter line: without the line break.
    fileprivate init?(_ line: [UInt8]) {
      guard let value = try? JSONReader().value(line), let publication = Publication(value) else { return nil }
      (id, self.publication) = (String(DocumentHash.text(of: line).prefix(Self.idLength)), publication)
    }
  }

  /// What was read.
  package struct Reading: Sendable {
    /// The entries, oldest first.
    package fileprivate(set) var entries: [Entry] = []
    /// The numbers of the lines that are not entries.
    fileprivate var badLines: [Int] = []
    /// How many earlier lines were not read.
    package fileprivate(set) var unread = 0
  }

  package let path: String

  package init(_ path: String) { self.path = path }

  /// The record of a document; beside the file that a symbolic link names.
  package init(besideDocument path: String) {
    self.init(InputFile.resolvingLinks(path) + ".history.jsonl")
  }

  // MARK: Reading

  /// Reads the last lines of the file.
  package func read(lines limit: Int) throws -> Reading {
    var (lines, number) = ([(number: Int, bytes: [UInt8])](), 0)
    try forEachLine { line, count in
      number = count
      lines.append((count, line))
      if lines.count >= 2 * limit { lines.removeFirst(lines.count - limit) }
    }
    var reading = Reading()
    reading.unread = max(0, number - limit)
    var seen: Set<String> = []
    for line in lines.suffix(limit) where !line.bytes.isEmpty {
      if let entry = Entry(line.bytes) {
        if seen.insert(entry.id).inserted { reading.entries.append(entry) }
      } else {
        reading.badLines.append(line.number)
      }
    }
    // A stable sort by time.
    reading.entries = reading.entries.enumerated()
      .sorted { ($0.element.publication.time, $0.offset) < ($1.element.publication.time, $1.offset) }.map(\.element)
    return reading
  }

  /// The entry with a name, or with the start of a name.
  ///
  /// - Throws: ``CommandError`` if there is none, or several.
  package func entry(_ name: String) throws -> Entry {
    var found: [Entry] = []
    if name.count >= 4 {
      try forEachLine { line, _ in
        guard DocumentHash.text(of: line).hasPrefix(name), let entry = Entry(line), !found.contains(entry) else {
          return
        }
        if found.count < 2 { found.append(entry) }
      }
    }
    guard let entry = found.first else {
      throw CommandError("\(path) has no entry `\(name)`", help: "`dualsend history DOCUMENT` lists the entries")
    }
    guard found.count == 1 else { throw CommandError("several entries begin with `\(name)`", help: "add characters") }
    return entry
  }

  /// The highest revision that was published, or may have been; `nil` if nothing is recorded.
  package func highestRevision() throws -> Int64? {
    var highest: Int64?
    try forEachLine { line, _ in
      guard let revision = Entry(line)?.publication.after.revision else { return }
      highest = max(highest ?? revision, revision)
    }
    return highest
  }

  private func forEachLine(_ body: ([UInt8], Int) throws -> Void) throws {
    guard FileManager.default.fileExists(atPath: path) else { return }
    try refuseOtherFiles()
    var reader = try InputFile.opened(path) { try LineReader(URL(fileURLWithPath: path)) }
    while let line = reader.next() {
      // Git may write CRLF.
      try body(line.bytes.last == UInt8(ascii: "\r") ? line.bytes.dropLast() : line.bytes, line.number)
    }
    if let failure = reader.failure { throw CommandError("cannot read \(path): \(failure.localizedDescription)") }
  }

  // MARK: Writing

  /// The file, locked until it is deallocated.
  package final class Hold: Sendable {
    private let handle: FileHandle

    fileprivate init(_ handle: FileHandle) { self.handle = handle }

    /// Appends with one write, and waits until it is on disk. A line that was left incomplete stays, and is ended.
    package func append(_ publication: Publication) throws {
      let size = try handle.seekToEnd()
      var line = Data((publication.json.canonicalText + "\n").utf8)
      if size > 0 {
        try handle.seek(toOffset: size - 1)
        if try handle.read(upToCount: 1) != Data("\n".utf8) { line.insert(UInt8(ascii: "\n"), at: 0) }
      }
      try handle.write(contentsOf: line)
      try handle.synchronize()
    }
  }

  /// Locks the file for a publication.
  ///
  /// - Parameter waits: whether to wait for another process.
  /// - Throws: an error for which ``isBusy(_:)`` is true if another process has it.
  package func hold(waits: Bool) throws -> Hold {
    try refuseOtherFiles()
    return Hold(try LockedFile.lock(path, waits: waits))
  }

  /// A pipe would be waited for, and keeps nothing.
  private func refuseOtherFiles() throws {
    guard FileManager.default.fileExists(atPath: path), !InputFile.isRegularFile(path) else { return }
    throw CommandError("\(path) is not a file, so it keeps no record", help: "name a file with --history")
  }

  package static func isBusy(_ error: any Error) -> Bool { error is LockedFile.Busy }

  /// Appends an entry, or returns a warning: the publication counts even if it is not recorded.
  package func add(_ publication: Publication, to hold: Hold? = nil) -> [DocumentDiagnostic] {
    do {
      try (hold ?? self.hold(waits: true)).append(publication)
      return []
    } catch { return [unrecorded(error)] }
  }

  /// Appends an entry, unless one of the last entries has the same texts.
  package func addOnce(_ publication: Publication) -> [DocumentDiagnostic] {
    let lines = 200
    do {
      let hold = try hold(waits: true)
      let isRecorded = try read(lines: lines).entries.map(\.publication).contains {
        $0.failure == nil && $0.before == publication.before && $0.after == publication.after
      }
      if !isRecorded { try hold.append(publication) }
      return []
    } catch { return [unrecorded(error)] }
  }

  private func unrecorded(_ error: any Error) -> DocumentDiagnostic {
    DocumentDiagnostic(
      .warning, .unrecorded,
      "the publication is not recorded: \((error as? CommandError)?.message ?? error.localizedDescription)",
      file: path, help: "correct the path, then record it with `dualsend history --add`")
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
  package var lastPublished: PublicationRecord.Entry? { entries.last { $0.publication.failure == nil } }
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
      (publication.failure.map { "FAILED: \($0)" } ?? publication.message ?? "").printable(limit: Self.messageWidth),
    ]
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
    lines += (publication.failure.map { ["failed: \($0.printable())"] } ?? [])
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
