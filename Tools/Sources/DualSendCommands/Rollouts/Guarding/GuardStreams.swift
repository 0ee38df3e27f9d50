import DualSendCommandLine
import DualSendCore
import DualSendParity
import Foundation

/// The files that `dualsend guard` compares, and the reports that others saved.
struct GuardStreams: Sendable {
  /// Files, or folders of files.
  let old: [String]
  let new: [String]
  let reports: [String]
  let comparer: ParityComparer

  /// What was measured of events of a period. Folders are listed each time; their files that were last written before the
  /// period are passed over, as are reports.
  func evidence(of period: ClosedRange<Int64>, in membership: StreamMembership) throws -> ParityReport {
    var comparer = comparer
    comparer.membership = membership
    comparer.period = period
    var report = ParityReport(join: comparer.join, membership: comparer.membership.summary)
    let old = try Self.files(old, writtenSince: period.lowerBound)
    let new = try Self.files(new, writtenSince: period.lowerBound)
    if !old.isEmpty || !new.isEmpty { report.merge([try comparer.compare(old: old, new: new)]) }
    report.merge(
      try Self.files(reports, writtenSince: period.lowerBound).map { file in
        try ParityReport(try InputFile.bytes(file.path), name: file.path)
      })
    return report
  }

  /// - Parameter time: in milliseconds since 1970-01-01T00:00:00Z.
  private static func files(_ paths: [String], writtenSince time: Int64) throws -> [URL] {
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
}
