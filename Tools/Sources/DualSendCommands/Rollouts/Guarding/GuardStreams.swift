import DualSendCommandLine
import DualSendCore
import DualSendGuard
import DualSendParity
import Foundation

/// The files that `dualsend guard` reads.
struct GuardStreams: Sendable {
  /// Files, or folders of files.
  let old: [String]
  let new: [String]
  let reports: [String]
  /// Files of dead letters, or folders of them.
  let deadLetters: [String]
  let comparer: ParityComparer

  /// The time before a period in which a mark still tells of it: a look may take that long. In milliseconds.
  private static let margin: Int64 = 600_000

  /// The evidence of a period. Lists folders at each call. Skips files and reports that were last written before the
  /// period.
  ///
  /// - Parameter marks: the files at the look before, each of which must still begin with what it had, under any name.
  func evidence(
    of period: ClosedRange<Int64>, in membership: StreamMembership, after marks: [StreamMark]
  ) throws -> GuardEvidence {
    let paths = self.old + self.new
    let present = try Self.files(paths)
    let gone = marks.filter { mark in
      guard mark.written >= period.lowerBound - Self.margin else { return false }
      let (same, others) = (present.filter { $0.path == mark.path }, present.filter { $0.path != mark.path })
      return !(same + others).contains { mark.isStart(of: $0) }
    }
    // Before the lines are read, so that a file may grow meanwhile.
    let seen = try Self.files(paths, writtenSince: period.lowerBound).compactMap { try StreamMark(of: $0) }
    var comparer = comparer
    comparer.membership = membership
    comparer.period = period
    var report = ParityReport(join: comparer.join, membership: comparer.membership.summary)
    let old = try Self.files(old, writtenSince: period.lowerBound)
    let new = try Self.files(new, writtenSince: period.lowerBound)
    if !old.isEmpty || !new.isEmpty { report.merge([try comparer.compare(old: old, new: new)]) }
    let saved = try Self.files(reports, writtenSince: period.lowerBound)
    report.merge(try saved.map { try ParityReport(try InputFile.bytes($0.path), name: $0.path) })
    let letters = try Self.files(deadLetters, writtenSince: period.lowerBound)
    return GuardEvidence(
      report,
      deadLetters: try DeadLetterLines.letters(
        in: letters, of: period, unit: comparer.samplesUnits ? comparer.unitKey : nil),
      newest: self.old.isEmpty
        ? saved.compactMap(Self.modification).max()
        : report.old.newest.flatMap { old in report.new.newest.map { min(old, $0) } },
      marks: seen, gone: gone.map(\.path))
  }

  /// - Parameter time: in milliseconds since 1970-01-01T00:00:00Z.
  private static func files(_ paths: [String], writtenSince time: Int64 = .min) throws -> [URL] {
    try paths.flatMap { path -> [URL] in
      let url = URL(fileURLWithPath: path)
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
        throw CommandError("cannot read \(path)", help: "check the path")
      }
      guard isFolder.boolValue else { return [url] }
      let names = try InputFile.inFolder(path) { try FileManager.default.contentsOfDirectory(atPath: path) }
      return names.filter { !$0.hasPrefix(".") }.sorted(by: String.byteOrder).map(url.appendingPathComponent)
    }.filter { file in
      let values = try? file.resourceValues(forKeys: [.contentModificationDateKey, .isRegularFileKey])
      // Another process may have moved a file away since it was listed.
      guard let values, values.isRegularFile == true else { return false }
      return values.contentModificationDate.map { $0.timeIntervalSince1970 * 1000 >= Double(time) } ?? true
    }
  }

  fileprivate static func modification(_ file: URL) -> Int64? {
    (try? file.resourceValues(forKeys: [.contentModificationDateKey]))?.contentModificationDate
      .map { Int64($0.timeIntervalSince1970 * 1000) }
  }
}

// MARK: - Stream mark

extension StreamMark {
  /// The bytes at each end of a file that tell it from others.
  private static let window: Int64 = 4_096

  /// - Returns: `nil` if another process moved the file away.
  fileprivate init?(of file: URL) throws {
    guard let handle = try? FileHandle(forReadingFrom: file) else { return nil }
    defer { try? handle.close() }
    let size = Int64(try handle.seekToEnd())
    guard let ends = try Self.ends(of: size, in: handle) else { return nil }
    self.init(
      path: file.path, size: size, ends: ends,
      written: GuardStreams.modification(file) ?? TimeSource.system.wallMilliseconds())
  }

  /// Whether a file has all that the marked file had, and perhaps more at its end.
  fileprivate func isStart(of file: URL) -> Bool {
    guard let handle = try? FileHandle(forReadingFrom: file) else { return false }
    defer { try? handle.close() }
    return (try? Self.ends(of: size, in: handle)) == ends
  }

  /// The hash of the first and the last bytes of a file's first `size` bytes; `nil` if it has fewer.
  private static func ends(of size: Int64, in handle: FileHandle) throws -> String? {
    var ends = Data()
    for offset in [0, max(0, size - window)] {
      try handle.seek(toOffset: UInt64(offset))
      let wanted = Int(min(window, size - offset))
      let bytes = wanted > 0 ? try handle.read(upToCount: wanted) ?? Data() : Data()
      guard bytes.count == wanted else { return nil }
      ends += bytes
    }
    return FNV1a.hexadecimal(ends)
  }
}
