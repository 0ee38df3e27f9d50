import DualSendCore
public import Foundation
public import Logging

/// Creates, keeps and can reset the ID that a rollout buckets an installation by: one lower-case UUID.
///
/// However many tasks ask at once, one ID is created. An actor owns one storage, and one process one actor for it: two
/// processes that meet at an empty storage would each create their own.
///
/// ```swift
/// let installationID = InstallationID(storage: ByteStorage.file(supportFolder.appendingPathComponent("installation-id")))
/// await installationID.value()  // once, at launch
/// let dualSend = DualSendTracker(oldLogger: old, tracker: tracker, unitID: { installationID.current })
/// ```
public actor InstallationID {
  /// What went wrong with the storage. Never holds what was stored.
  public enum Problem: Sendable, Hashable {
    /// What was stored is not a UUID; a new ID took its place.
    case damaged
    /// The storage cannot be read now, so there is no ID yet; the system's own words.
    case notReadable(String)
    /// The ID could not be stored. It holds for this process, and storing is tried again whenever it is asked for.
    case notStored(String)
    /// The ID could not be deleted, and remains; the system's own words.
    case notDeleted(String)
  }

  private let storage: ByteStorage
  private let makeUUID: @Sendable () -> UUID
  private let logger: Logger
  private let report: @Sendable (Problem) -> Void
  private let known = Locked<String?>(nil)
  private var isStored = false

  /// Names the storage; nothing is read before ``value()``.
  ///
  /// - Parameters:
  ///   - storage: where the ID outlives the process.
  ///   - makeUUID: makes new IDs; random ones unless a test says otherwise.
  ///   - logger: where problems are written; never the ID.
  ///   - report: told about every problem, on any thread.
  public init(
    storage: ByteStorage, makeUUID: @escaping @Sendable () -> UUID = { UUID() },
    logger: Logger = Logger(label: "dualsend.identity"), report: @escaping @Sendable (Problem) -> Void = { _ in }
  ) {
    self.storage = storage
    self.makeUUID = makeUUID
    self.logger = logger
    self.report = report
  }

  /// The ID as far as it is known, without waiting: `nil` until ``value()`` has found or created it.
  ///
  /// A rollout decides events without an ID as its document's `missingUnit` says, never at random.
  public nonisolated var current: String? {
    known.current
  }

  /// The installation's ID, created if there is none.
  ///
  /// - Returns: `nil` only while the storage cannot be read, as before a device's first unlock: an ID made up now would
  ///   move the installation to another bucket, and storing it would lose the old one for good.
  @discardableResult
  public func value() -> String? {
    if let id = current {
      if !isStored { store(id) }
      return id
    }
    let stored: [UInt8]?
    do { stored = try storage.read() } catch {
      met(.notReadable(error.localizedDescription))
      return nil
    }
    if let id = stored.flatMap(Self.id) {
      isStored = true
      known.withLock { $0 = id }
      return id
    }
    if stored != nil { met(.damaged) }
    return reset()
  }

  /// Puts a new ID in the place of the old one, as when a user asks to be forgotten.
  ///
  /// The installation gets another bucket with it, so it may move from one sink to the other.
  @discardableResult
  public func reset() -> String {
    let id = makeUUID().uuidString.lowercased()
    known.withLock { $0 = id }
    store(id)
    return id
  }

  private func store(_ id: String) {
    do {
      try storage.write(Array(id.utf8))
      isStored = true
    } catch {
      isStored = false
      met(.notStored(error.localizedDescription))
    }
  }

  /// Deletes the ID from the storage and from memory, as when a user asks to be forgotten and the app stops logging.
  ///
  /// The next call of ``value()`` creates another one. Until then ``current`` is `nil`.
  ///
  /// - Throws: the storage's own error; nothing is deleted, and the ID remains.
  public func delete() throws {
    do { try storage.delete() } catch {
      met(.notDeleted(error.localizedDescription))
      throw error
    }
    isStored = false
    known.withLock { $0 = nil }
  }

  private func met(_ problem: Problem) {
    logger.log(level: problem.level, "\(problem.description.hidingSecrets.printable(limit: PrintableText.lineLimit))")
    report(problem)
  }

  /// A UUID in any case; a line feed after it, as an editor leaves one, does no harm.
  private static func id(_ bytes: [UInt8]) -> String? {
    let text = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    return UUID(uuidString: text)?.uuidString.lowercased()
  }
}

extension InstallationID.Problem: CustomStringConvertible {
  /// One line.
  public var description: String {
    switch self {
    case .damaged: "the stored installation ID is not a UUID; a new one took its place"
    case .notReadable(let words): "the installation ID cannot be read now: \(words)"
    case .notStored(let words): "the installation ID could not be stored: \(words)"
    case .notDeleted(let words): "the installation ID could not be deleted: \(words)"
    }
  }

  /// An ID that is lost, or that another launch will not find, is an error; what is tried again is not.
  fileprivate var level: Logger.Level {
    switch self {
    case .damaged, .notDeleted: .error
    case .notReadable, .notStored: .warning
    }
  }
}
