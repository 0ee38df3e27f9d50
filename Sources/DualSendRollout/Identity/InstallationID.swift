import DualSendCore
public import Foundation
public import Logging

/// Creates, stores and resets the ID that gives an installation its bucket: a lower-case UUID.
///
/// Concurrent calls create one ID. Use one actor for each storage, in one process: two processes that find an empty storage
/// would each create an ID.
///
/// ```swift
/// let installationID = InstallationID(storage: ByteStorage.file(supportFolder.appendingPathComponent("installation-id")))
/// await installationID.value()  // once, at launch
/// let dualSend = DualSendTracker(oldLogger: old, tracker: tracker, unitID: { installationID.current })
/// ```
public actor InstallationID {
  /// A problem with the storage. Never contains the stored bytes.
  public enum Problem: Sendable, Hashable {
    /// The stored bytes are not a UUID. A new ID replaces them.
    case damaged
    /// The storage cannot be read now, so there is no ID yet. Carries the system's message.
    case notReadable(String)
    /// The ID could not be stored. It is valid for this process, and each call of ``value()`` tries to store it again.
    case notStored(String)
    /// The ID could not be deleted and remains stored. Carries the system's message.
    case notDeleted(String)
  }

  private let storage: ByteStorage
  private let makeUUID: @Sendable () -> UUID
  private let logger: Logger
  private let report: @Sendable (Problem) -> Void
  private let known = Locked<String?>(nil)
  private var isStored = false

  /// Creates an actor for a storage. Reads nothing before ``value()``.
  ///
  /// - Parameters:
  ///   - storage: stores the ID across launches.
  ///   - makeUUID: creates new IDs; random by default.
  ///   - logger: receives problems, but never the ID.
  ///   - report: receives problems, on any thread.
  public init(
    storage: ByteStorage, makeUUID: @escaping @Sendable () -> UUID = { UUID() },
    logger: Logger = Logger(label: "dualsend.identity"), report: @escaping @Sendable (Problem) -> Void = { _ in }
  ) {
    self.storage = storage
    self.makeUUID = makeUUID
    self.logger = logger
    self.report = report
  }

  /// The ID, without waiting; `nil` until ``value()`` has read or created it.
  ///
  /// The document's `missingUnit` decides events without an ID.
  public nonisolated var current: String? {
    known.current
  }

  /// Returns the installation's ID and creates one if there is none.
  ///
  /// - Returns: the ID; `nil` only while the storage cannot be read, such as before a device's first unlock. A new ID would
  ///   then replace the stored one and move the installation to another bucket.
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

  /// Replaces the ID by a new one, such as when a user asks for deletion.
  ///
  /// The installation gets another bucket, so it may move from one sink to the other.
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

  /// Deletes the ID from the storage and from memory, such as when a user asks for deletion and the app stops logging.
  ///
  /// ``current`` is then `nil` until the next call of ``value()``, which creates a new ID.
  ///
  /// - Throws: the storage's error. The ID then remains.
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

  /// Parses a UUID in any case, with white space around it.
  private static func id(_ bytes: [UInt8]) -> String? {
    let text = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    return UUID(uuidString: text)?.uuidString.lowercased()
  }
}

extension InstallationID.Problem: CustomStringConvertible {
  /// One line.
  public var description: String {
    switch self {
    case .damaged: "the stored installation ID is not a UUID; a new one replaces it"
    case .notReadable(let words): "the installation ID cannot be read now: \(words)"
    case .notStored(let words): "the installation ID could not be stored: \(words)"
    case .notDeleted(let words): "the installation ID could not be deleted: \(words)"
    }
  }

  /// An error if the ID is lost or could not be deleted; a warning if the operation is tried again.
  fileprivate var level: Logger.Level {
    switch self {
    case .damaged, .notDeleted: .error
    case .notReadable, .notStored: .warning
    }
  }
}
