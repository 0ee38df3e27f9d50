import DualSendCommandLine
import DualSendCore
import Foundation

/// Every revision that was live while a console looked, to go back to.
actor RolloutHistory {
  /// One of them.
  struct Entry: Sendable {
    let revision: Int64
    /// When it was kept, in milliseconds since 1970-01-01T00:00:00Z.
    let time: Int64
    let size: Int

    var json: EventValue {
      ["revision": .int(revision), "time": .int(time), "size": .int(Int64(size))]
    }
  }

  private static let (prefix, suffix) = ("rollout-", ".json")

  private let folder: String?
  /// What is kept where there is no folder.
  private var held: [Int64: (bytes: [UInt8], time: Int64)] = [:]

  /// - Parameter folder: `nil` keeps revisions for as long as the console runs.
  init(folder: String?) throws {
    self.folder = folder
    if let folder { try InputFile.makeFolder(folder) }
  }

  /// The newest first.
  var entries: [Entry] {
    get throws {
      guard let folder else {
        return held.map { Entry(revision: $0.key, time: $0.value.time, size: $0.value.bytes.count) }
          .sorted { $0.revision > $1.revision }
      }
      let names = try InputFile.inFolder(folder) { try FileManager.default.contentsOfDirectory(atPath: folder) }
      return names.compactMap { name in
        guard name.hasPrefix(Self.prefix), name.hasSuffix(Self.suffix),
          let revision = Int64(name.dropFirst(Self.prefix.count).dropLast(Self.suffix.count)),
          let attributes = try? FileManager.default.attributesOfItem(atPath: path(revision, in: folder))
        else { return nil }
        let date = attributes[.modificationDate] as? Date
        return Entry(
          revision: revision, time: Int64((date?.timeIntervalSince1970 ?? 0) * 1000),
          size: (attributes[.size] as? NSNumber)?.intValue ?? 0)
      }.sorted { $0.revision > $1.revision }
    }
  }

  /// What a revision said; `nil` if it is not kept.
  func bytes(_ revision: Int64) throws -> [UInt8]? {
    guard let folder else { return held[revision]?.bytes }
    let path = path(revision, in: folder)
    return FileManager.default.fileExists(atPath: path) ? try InputFile.exactBytes(path) : nil
  }

  /// Keeps a revision; one that is kept already stays as it is.
  func keep(_ revision: Int64, _ bytes: [UInt8], now: Int64) throws {
    guard try self.bytes(revision) == nil else { return }
    if let folder {
      try InputFile.replace(path(revision, in: folder), with: bytes)
    } else {
      held[revision] = (bytes, now)
    }
  }

  /// Forgets a revision that did not become live after all.
  func forget(_ revision: Int64) {
    held[revision] = nil
    if let folder { try? FileManager.default.removeItem(atPath: path(revision, in: folder)) }
  }

  private func path(_ revision: Int64, in folder: String) -> String {
    (folder as NSString).appendingPathComponent("\(Self.prefix)\(revision)\(Self.suffix)")
  }
}
