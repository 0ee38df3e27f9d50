public import DualSendCore
public import Foundation

/// Stores the signed-in user across launches: one identifier, set at sign-in and reset at sign-out.
///
/// ```swift
/// let user = UserIdentity(file: supportFolder.appendingPathComponent("user"), fallback: { installationID.current })
/// await user.value()  // once, at launch
/// let dualSend = DualSendTracker(oldLogger: old, tracker: tracker, unitID: { user.current })
/// try await user.signIn("u-42")
/// ```
///
/// A change takes effect in this process at once and is then stored. If storing fails, the actor reports it and retries with
/// increasing delays and at each call of ``value()``.
///
/// Use one actor for each storage. If two actors share one, in one process or in several, the later change wins: before it
/// stores, an actor reads the other's change, reports ``Problem/changedElsewhere`` and replaces it. ``refresh()`` reads the
/// other's change. The stored record is always complete. If two actors store at the same instant, the last write wins, and
/// the other actor detects it at its next store or refresh.
public actor UserIdentity {
  let storage: ByteStorage
  let setAside: ByteStorage
  let backoff: RetryBackoff
  let time: TimeSource
  let migrate: (@Sendable () throws -> String?)?
  let report: @Sendable (Problem) -> Void
  private let fallback: @Sendable () -> String?
  private let makeAnonymousID: @Sendable () -> String
  private let known = Locked<User?>(nil)
  private let multicast = Multicast<User?>(current: nil)

  /// The current record.
  var record = UserRecord()
  /// The bytes that were read or written last; `nil` before the first read.
  var lastBytes: LastBytes?
  /// Whether ``record`` has a change that is not stored.
  var isPending = false
  /// The number of consecutive failures to read or store.
  var failures = 0
  var retry: Task<Void, Never>?

  /// The storage's contents; `nil` if it was empty.
  struct LastBytes: Equatable {
    let bytes: [UInt8]?
  }

  /// Creates an actor for a storage. Reads nothing before ``value()``.
  ///
  /// - Parameters:
  ///   - storage: stores the identifier across launches: a file, a keychain item, a key of user defaults.
  ///   - setAside: receives damaged contents of the storage before they are replaced.
  ///   - fallback: gives an identifier while no user is signed in. It is called at each access, so it must be fast.
  ///   - makeAnonymousID: creates identifiers at sign-out; random UUIDs by default.
  ///   - migrate: returns the identifier that the app stored before, `nil` for none. It is called on the actor until it
  ///     returns once or the app sets an identifier; after an error it is called again.
  ///   - backoff: the delays after a failure to read or to store.
  ///   - time: measures these delays.
  ///   - report: receives problems, on any thread.
  public init(
    storage: ByteStorage, setAside: ByteStorage, fallback: @escaping @Sendable () -> String? = { nil },
    makeAnonymousID: @escaping @Sendable () -> String = { UUID().uuidString.lowercased() },
    migrate: (@Sendable () throws -> String?)? = nil, backoff: RetryBackoff = .ladder(retryLimit: 8),
    time: TimeSource = .system, report: @escaping @Sendable (Problem) -> Void = { _ in }
  ) {
    self.storage = storage
    self.setAside = setAside
    self.fallback = fallback
    self.makeAnonymousID = makeAnonymousID
    self.migrate = migrate
    self.backoff = backoff
    self.time = time
    self.report = report
  }

  deinit {
    retry?.cancel()
  }

  /// The identifier, without waiting; the fallback's until ``value()`` has read it and while no user is signed in. For
  /// `unitID` closures and for parameters of every event.
  public nonisolated var current: String? {
    known.current?.id ?? fallback()
  }

  /// The signed-in user, without waiting; `nil` if there is none or ``value()`` has not read it.
  public nonisolated var user: User? {
    known.current
  }

  /// The signed-in user, now and after each change. A slow reader gets only the latest.
  public nonisolated var changes: AsyncStream<User?> {
    multicast.stream()
  }

  /// Returns the identifier or the fallback's. Reads the storage at the first call and stores pending changes.
  @discardableResult
  public func value() -> String? {
    settle()
    return current
  }

  /// Sets the identifier.
  ///
  /// - Throws: ``InvalidIdentifier`` if it is empty or longer than 1,024 bytes. Nothing changes.
  public func signIn(_ id: String) throws(InvalidIdentifier) {
    try set(User(id: Self.checked(id), isAnonymous: false))
  }

  /// Removes the identifier.
  ///
  /// - Parameter newAnonymousID: whether a generated identifier replaces it, which separates the events before the next
  ///   sign-in from those of other users; otherwise the fallback does.
  /// - Throws: ``InvalidIdentifier`` if the generated one is empty or longer than 1,024 bytes. Nothing changes.
  public func signOut(newAnonymousID: Bool = false) throws(InvalidIdentifier) {
    let user = newAnonymousID ? User(id: try Self.checked(makeAnonymousID()), isAnonymous: true) : nil
    set(user)
  }

  /// Reads the storage again, to see another writer's change. A pending change is stored first and wins.
  @discardableResult
  public func refresh() -> String? {
    settle()
    if !isPending { reload() }
    return current
  }

  private func set(_ user: User?) {
    // Reads the stored record first, so that the new one gets a higher revision.
    load()
    record.user = user
    record.hasMigrated = true
    record.revision += 1
    isPending = true
    publish()
    settle()
  }

  /// Makes the record's user visible to readers.
  func publish() {
    let user = record.user
    let isNew = known.withLock { known in
      let isNew = known != user
      known = user
      return isNew
    }
    if isNew { multicast.send(user) }
  }

  static func checked(_ id: String) throws(InvalidIdentifier) -> String {
    guard (1...InvalidIdentifier.maximumBytes).contains(id.utf8.count) else { throw InvalidIdentifier() }
    return id
  }
}

extension UserIdentity {
  /// Stores the identifier in a file, and a damaged one in a file beside it whose name ends in `.damaged`. Both are readable
  /// by their owner only. The other parameters are those of
  /// ``init(storage:setAside:fallback:makeAnonymousID:migrate:backoff:time:report:)``.
  public init(
    file: URL, fallback: @escaping @Sendable () -> String? = { nil },
    makeAnonymousID: @escaping @Sendable () -> String = { UUID().uuidString.lowercased() },
    migrate: (@Sendable () throws -> String?)? = nil, report: @escaping @Sendable (Problem) -> Void = { _ in }
  ) {
    self.init(
      storage: .file(file, maximumBytes: 64 << 10), setAside: .file(file.appendingPathExtension("damaged")),
      fallback: fallback, makeAnonymousID: makeAnonymousID, migrate: migrate, report: report)
  }
}
