public import DualSendCore
public import Foundation
public import Logging

/// An identifier that is stored across launches: the installation's, or the signed-in user's.
///
/// ```swift
/// let installation = StoredID.installation(.file(folder.appendingPathComponent("installation-id")))
/// let user = StoredID.user(.file(folder.appendingPathComponent("user")))
/// let dualSend = DualSendTracker(
///   oldLogger: old, tracker: tracker, rollout: rollout, unitID: { user.current ?? installation.current })
/// try user.set("u-42")
/// ```
///
/// The storage is read when the object is created, so that the first event is decided with the identifier. A change takes
/// effect at once and is stored before the call returns. What cannot be read or stored is tried again after 2, 4, 8 s and so on
/// up to 5 minutes, and at each call of ``value()``.
///
/// Use one object for each storage. If several processes share one, the last write wins. Safe to use from any thread.
public final class StoredID: Sendable {
  /// A problem with the storage. Never contains the identifier. Texts are the system's messages.
  public enum Problem: Sendable, Hashable {
    /// The stored bytes are not an identifier. They stay until the next one is stored.
    case damaged
    /// The storage cannot be read now, so there is no identifier yet.
    case notReadable(String)
    /// The identifier could not be stored. It is valid for this process.
    case notStored(String)
    /// The identifier could not be deleted and remains stored.
    case notDeleted(String)
    /// The identifier that the app stored elsewhere could not be read.
    case notMigrated(String)
  }

  /// An identifier is empty or longer than 1,024 bytes.
  public struct InvalidIdentifier: Error, Sendable, Hashable, CustomStringConvertible {
    static let lengths = 1...1_024

    /// One line, without the identifier.
    public var description: String { "an identifier has 1 to 1024 bytes" }
  }

  private struct State: Sendable {
    var id: String?
    /// Whether the storage was read, or an identifier was set that replaces what it holds.
    var isRead = false
    /// Whether the storage does not hold `id` yet.
    var isPending = false
    var failures = 0
    var retry: Task<Void, Never>?
  }

  private let storage: ByteStorage
  /// Whether a missing identifier is created.
  private let isGenerated: Bool
  private let makeID: @Sendable () -> String
  private let migrate: (@Sendable () throws -> String?)?
  private let time: TimeSource
  private let logger: Logger
  private let report: @Sendable (Problem) -> Void
  private let state = Locked(State())
  private let multicast = Multicast<String?>(current: nil)
  /// Held while the storage is used, so that writes keep the order of the changes.
  private let order = Locked(())
  private static let backoff = RetryBackoff(shape: .ladder, base: .seconds(2), cap: .seconds(300))

  private init(
    _ storage: ByteStorage, isGenerated: Bool, makeID: @escaping @Sendable () -> String,
    migrate: (@Sendable () throws -> String?)?, time: TimeSource, logger: Logger,
    report: @escaping @Sendable (Problem) -> Void
  ) {
    (self.storage, self.isGenerated, self.makeID, self.migrate) = (storage, isGenerated, makeID, migrate)
    (self.time, self.logger, self.report) = (time, logger, report)
    value()
  }

  deinit {
    state.current.retry?.cancel()
  }

  /// The installation's ID: a random lower-case UUID, created if the storage holds none. It gives the installation its bucket.
  ///
  /// - Parameters:
  ///   - makeID: creates IDs; random UUIDs by default.
  ///   - time: measures the delays of retries.
  ///   - logger: receives problems, but never the ID.
  ///   - report: receives problems, on any thread.
  public static func installation(
    _ storage: ByteStorage, makeID: @escaping @Sendable () -> String = { UUID().uuidString.lowercased() },
    time: TimeSource = .system, logger: Logger = Logger(label: "dualsend.identity"),
    report: @escaping @Sendable (Problem) -> Void = { _ in }
  ) -> StoredID {
    StoredID(
      storage, isGenerated: true, makeID: makeID, migrate: nil, time: time, logger: logger, report: report)
  }

  /// The signed-in user's identifier: `nil` until ``set(_:)``, and after ``clear()``.
  ///
  /// - Parameters:
  ///   - migrate: returns the identifier that the app stored elsewhere, `nil` for none. Called while this storage is empty and no
  ///     identifier was set. Its result is stored, so that it is called once; after an error it is called again.
  ///   - makeID: creates the identifiers of ``reset()``; random UUIDs by default.
  public static func user(
    _ storage: ByteStorage, migrate: (@Sendable () throws -> String?)? = nil,
    makeID: @escaping @Sendable () -> String = { UUID().uuidString.lowercased() }, time: TimeSource = .system,
    logger: Logger = Logger(label: "dualsend.identity"), report: @escaping @Sendable (Problem) -> Void = { _ in }
  ) -> StoredID {
    StoredID(
      storage, isGenerated: false, makeID: makeID, migrate: migrate, time: time, logger: logger, report: report)
  }

  /// The identifier, without waiting: takes only a lock. `nil` while the storage cannot be read, such as before a device's
  /// first unlock; for a user also while none is signed in.
  public var current: String? { state.withLock { $0.id } }

  /// The identifier, now and after each change. A slow reader gets only the latest.
  public func changes() -> AsyncStream<String?> { multicast.stream() }

  /// Returns the identifier. Tries again to read or store it if that failed before.
  @discardableResult
  public func value() -> String? {
    order.withLock { _ in settle() }
    return current
  }

  /// Replaces the identifier, such as at a sign-in.
  ///
  /// - Throws: ``InvalidIdentifier`` if it is empty or longer than 1,024 bytes. Nothing changes.
  public func set(_ id: String) throws(InvalidIdentifier) {
    guard InvalidIdentifier.lengths.contains(id.utf8.count) else { throw InvalidIdentifier() }
    change(to: id)
  }

  /// Replaces the identifier by a new random one: at a user's request, or at a sign-out, so that later events are not
  /// attributed to the last user. The unit gets another bucket, so it may move from one sink to the other.
  @discardableResult
  public func reset() -> String {
    let id = makeID()
    change(to: id)
    return id
  }

  /// Removes a user's identifier at a sign-out. That there is none is stored, so nothing is migrated again. For an
  /// installation, ``value()`` creates another ID.
  public func clear() {
    change(to: nil)
  }

  /// Deletes the identifier from the storage and from memory. For an installation, ``value()`` creates another one.
  ///
  /// - Throws: the storage's error. The identifier then remains.
  public func delete() throws {
    let failure = order.withLock { _ -> (any Error)? in
      do { try storage.delete() } catch { return error }
      become(nil, isPending: false)
      return nil
    }
    guard let failure else { return }
    met(.notDeleted(failure.localizedDescription))
    throw failure
  }

  private func change(to id: String?) {
    order.withLock { _ in
      become(id, isPending: true)
      settle()
    }
  }

  private func become(_ id: String?, isPending: Bool) {
    let isNew = state.withLock { state in
      let isNew = state.id.map { Array($0.utf8) } != id.map { Array($0.utf8) }
      (state.id, state.isRead, state.isPending) = (id, true, isPending)
      return isNew
    }
    if isNew { multicast.send(id) }
  }
}

// MARK: - Reading and storing

extension StoredID {
  /// Reads the storage if necessary, creates what is missing, stores what is pending, and schedules a retry if any fails.
  private func settle() {
    let isSettled = read() && create() && store()
    let retry = state.withLock { state -> Task<Void, Never>? in
      state.failures = isSettled ? 0 : state.failures + 1
      if isSettled {
        defer { state.retry = nil }
        return state.retry
      }
      guard state.retry == nil else { return nil }
      let wait = Self.backoff.delay(afterFailures: state.failures) { 1 } ?? .seconds(300)
      state.retry = Task { [weak self, time] in
        guard (try? await time.sleep(wait)) != nil, let self else { return }
        self.state.withLock { $0.retry = nil }
        value()
      }
      return nil
    }
    retry?.cancel()
  }

  private func read() -> Bool {
    guard !state.withLock({ $0.isRead }) else { return true }
    let bytes: [UInt8]?
    do { bytes = try storage.read() } catch {
      met(.notReadable(error.localizedDescription))
      return false
    }
    if let bytes, !bytes.isEmpty {
      let id = identifier(bytes)
      if id == nil { met(.damaged) }
      become(id, isPending: false)
    } else if bytes == nil, let migrate {
      do {
        // Many stores return an empty text for no value.
        let id = try migrate().flatMap { InvalidIdentifier.lengths.contains($0.utf8.count) ? $0 : nil }
        become(id, isPending: true)
      } catch {
        met(.notMigrated(error.localizedDescription))
        return false
      }
    } else {
      become(nil, isPending: false)
    }
    return true
  }

  /// The identifier in stored bytes: for an installation a UUID in any case; white space around it is ignored.
  private func identifier(_ bytes: [UInt8]) -> String? {
    guard let text = String(utf8: bytes)?.trimmingCharacters(in: .whitespacesAndNewlines),
      InvalidIdentifier.lengths.contains(text.utf8.count)
    else { return nil }
    return isGenerated ? UUID(uuidString: text)?.uuidString.lowercased() : text
  }

  private func create() -> Bool {
    if isGenerated, current == nil { become(makeID(), isPending: true) }
    return true
  }

  private func store() -> Bool {
    let (id, isPending) = state.withLock { ($0.id, $0.isPending) }
    guard isPending else { return true }
    do { try storage.write(Array((id ?? "").utf8)) } catch {
      met(.notStored(error.localizedDescription))
      return false
    }
    state.withLock { $0.isPending = false }
    return true
  }

  private func met(_ problem: Problem) {
    logger.log(level: problem.level, "\(problem.description.hidingSecrets.printable(limit: PrintableText.lineLimit))")
    report(problem)
  }
}

extension StoredID.Problem: CustomStringConvertible {
  /// One line.
  public var description: String {
    switch self {
    case .damaged: "the stored bytes are not an identifier"
    case .notReadable(let words): "the identifier cannot be read now: \(words)"
    case .notStored(let words): "the identifier could not be stored: \(words)"
    case .notDeleted(let words): "the identifier could not be deleted: \(words)"
    case .notMigrated(let words): "the app's own identifier could not be read: \(words)"
    }
  }

  /// An error if the identifier is lost or could not be deleted; a warning if the operation is tried again.
  fileprivate var level: Logger.Level {
    switch self {
    case .damaged, .notDeleted: .error
    case .notReadable, .notStored, .notMigrated: .warning
    }
  }
}
