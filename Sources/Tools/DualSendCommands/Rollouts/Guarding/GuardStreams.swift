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
  /// What the comparer is made from, as texts.
  let options: [[UInt8]]

  /// The evidence of a period. Lists folders at each call. Skips files and reports that were last written before the
  /// period.
  ///
  /// - Parameters:
  ///   - store: has what the looks before read of the streams.
  ///   - start: when the step began, in milliseconds since 1970-01-01T00:00:00Z.
  ///   - documents: the rollout documents of `membership`, as texts.
  func evidence(
    of period: ClosedRange<Int64>, since start: Int64, in membership: StreamMembership, documents: [[UInt8]],
    keptIn store: ParityStore
  ) throws -> GuardEvidence {
    var comparer = comparer
    comparer.membership = membership
    comparer.period = period
    let compared = try comparer.compare(
      old: try Self.files(old), new: try Self.files(new), keptIn: store, as: TextHash.mark(of: options + documents),
      since: start)
    var report = compared.report
    let saved = try Self.files(reports, writtenSince: period.lowerBound)
    report.merge(try saved.map { try ParityReport(try InputFile.bytes($0.path), name: $0.path) })
    let letters = try Self.files(deadLetters, writtenSince: period.lowerBound)
    return GuardEvidence(
      report,
      deadLetters: try DeadLetterLines.letters(
        in: letters, of: period, unit: comparer.samplesUnits ? comparer.clusterKey ?? comparer.unitKey : nil),
      newest: self.old.isEmpty
        ? try saved.compactMap { try OpenedFile.ifAny($0.path)?.modified }.max()
        : report.old.newest.flatMap { old in report.new.newest.map { min(old, $0) } },
      gone: compared.gone)
  }

  /// - Parameter time: in milliseconds since 1970-01-01T00:00:00Z.
  /// - Returns: the files themselves, which links lead to, each once.
  /// - Throws: ``CommandError`` for what cannot be read: evidence that is left out would look like loss, or like none.
  private static func files(_ paths: [String], writtenSince time: Int64 = .min) throws -> [URL] {
    var seen: Set<String> = []
    return try listed(paths).compactMap { file in
      let path = InputFile.resolvingLinks(file.path)
      // Another process may have moved a file away since it was listed.
      guard seen.insert(path).inserted, !InputFile.isFolder(path), let opened = try OpenedFile.ifAny(file.path),
        opened.modified >= time
      else { return nil }
      return URL(fileURLWithPath: path)
    }
  }

  private static func listed(_ paths: [String]) throws -> [URL] {
    try paths.flatMap { path -> [URL] in
      let url = URL(fileURLWithPath: path)
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
        throw CommandError("cannot read \(path)", help: "check the path")
      }
      guard isFolder.boolValue else { return [url] }
      let names = try InputFile.inFolder(path) { try FileManager.default.contentsOfDirectory(atPath: path) }
      return names.filter { !$0.hasPrefix(".") }.sorted(by: String.byteOrder).map(url.appendingPathComponent)
    }
  }
}
