import DualSendCommandLine
import DualSendCommands
import DualSendCore
import Foundation

/// The texts that were live while a console ran, for rollbacks.
///
/// Texts are identified by their content, because two texts can have one revision.
actor RolloutHistory {
  /// A text of the history.
  struct Entry: Sendable {
    /// `7` for the first text of revision 7, and `7-` with a hash for others.
    let id: String
    let revision: Int64
    /// The time when it was stored, in milliseconds since 1970-01-01T00:00:00Z.
    let time: Int64
    let size: Int

    func json(isLive: Bool) -> EventValue {
      [
        "id": .string(id), "revision": .int(revision), "time": .int(time), "size": .int(Int64(size)),
        "isLive": .bool(isLive),
      ]
    }
  }

  private static let (prefix, suffix) = ("rollout-", ".json")

  private let folder: String?
  /// The texts in memory, without a folder.
  private var held: [String: (entry: Entry, bytes: [UInt8])] = [:]

  /// - Parameter folder: `nil` keeps the texts only while the console runs.
  init(folder: String?) throws {
    self.folder = folder
    if let folder { try InputFile.makeFolder(folder) }
  }

  /// The texts, newest first.
  var entries: [Entry] {
    get throws {
      try found.sorted { ($0.revision, $0.time, $0.id) > ($1.revision, $1.time, $1.id) }
    }
  }

  private var found: [Entry] {
    get throws {
      guard let folder else { return held.values.map(\.entry) }
      let names = try InputFile.inFolder(folder) { try FileManager.default.contentsOfDirectory(atPath: folder) }
      return names.compactMap { name in
        guard name.hasPrefix(Self.prefix), name.hasSuffix(Self.suffix) else { return nil }
        let id = String(name.dropFirst(Self.prefix.count).dropLast(Self.suffix.count))
        guard let revision = Self.revision(ofID: id), InputFile.isRegularFile(path(id, in: folder)),
          let attributes = try? FileManager.default.attributesOfItem(atPath: path(id, in: folder))
        else { return nil }
        let date = attributes[.modificationDate] as? Date
        return Entry(
          id: id, revision: revision, time: Int64((date?.timeIntervalSince1970 ?? 0) * 1000),
          size: (attributes[.size] as? NSNumber)?.intValue ?? 0)
      }
    }
  }

  private static func revision(ofID id: String) -> Int64? {
    guard let digits = id.wholeMatch(of: /([0-9]+)(-[0-9a-f]+-[0-9]+)?/)?.1 else { return nil }
    return Int64(digits)
  }

  /// The content of a text; `nil` if it is not kept.
  func bytes(_ id: String) throws -> [UInt8]? {
    guard Self.revision(ofID: id) != nil else { return nil }
    guard let folder else { return held[id]?.bytes }
    let path = path(id, in: folder)
    return InputFile.isRegularFile(path) ? try InputFile.exactBytes(path) : nil
  }

  /// Stores a text.
  ///
  /// - Returns: its id, and whether it was not stored before.
  @discardableResult
  func keep(_ revision: Int64, _ bytes: [UInt8], now: Int64) throws -> (id: String, isNew: Bool) {
    let others = try found.filter { $0.revision == revision }
    // One that cannot be read stays, and this text gets another id.
    for other in others where (try? self.bytes(other.id)) == bytes { return (other.id, false) }
    let id = others.isEmpty ? "\(revision)" : "\(revision)-\(EntityTag.text(of: bytes))"
    if let folder {
      try InputFile.replace(path(id, in: folder), with: bytes)
    } else {
      held[id] = (Entry(id: id, revision: revision, time: now, size: bytes.count), bytes)
    }
    return (id, true)
  }

  /// Removes a text that did not become live.
  func forget(_ id: String) {
    held[id] = nil
    if let folder { try? FileManager.default.removeItem(atPath: path(id, in: folder)) }
  }

  private func path(_ id: String, in folder: String) -> String {
    (folder as NSString).appendingPathComponent("\(Self.prefix)\(id)\(Self.suffix)")
  }
}
