public import DualSendCore
public import Foundation

/// Keeps who is signed in, across launches: one identifier, which the app sets on sign-in and resets on sign-out.
///
/// ```swift
/// let user = UserIdentity(file: supportFolder.appendingPathComponent("user"), fallback: { installationID.current })
/// await user.value()  // once, at launch
/// let dualSend = DualSendTracker(oldLogger: old, tracker: tracker, unitID: { user.current })
/// try await user.signIn("u-42")
/// ```
///
/// What is set holds for this process at once, and is stored; where that fails it is reported, and tried again with
/// growing waits and whenever the identity is asked for.
///
/// One actor should own a storage. If two do, in one process or in several, each sees what the other stored before it
/// stores itself, reports it (``Problem/changedElsewhere``) and then replaces it, for its own change is the later one;
/// ``refresh()`` takes over what the other stored. What is stored is always one of the two, whole. Two that store in
/// the same instant may not see one another: the last one stays, and the other one notices when it stores or refreshes
/// again.
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

  /// What is to be stored, or is stored already.
  var record = UserRecord()
  /// The bytes that this actor read or wrote last; `nil` before the first read.
  var lastBytes: LastBytes?
  /// Whether ``record`` is not stored yet.
  var isPending = false
  /// Failures to read or store in a row.
  var failures = 0
  var retry: Task<Void, Never>?

  /// Bytes that a storage had, or the knowledge that it had none.
  struct LastBytes: Equatable {
    let bytes: [UInt8]?
  }

  /// Names the storages; nothing is read before ``value()``.
  ///
  /// - Parameters:
  ///   - storage: where the identifier outlives the process: a file, a keychain item, a key of user defaults.
  ///   - setAside: gets what stands in the storage if that is damaged, before it is replaced.
  ///   - fallback: stands for a user whom nobody knows; asked whenever there is no identifier, so it must be cheap.
  ///   - makeAnonymousID: makes identifiers for a sign-out that asks for a new one; random UUIDs unless told otherwise.
  ///   - migrate: gives the identifier that the app kept elsewhere, `nil` for none. It is asked on the actor, before
  ///     anything was set here, until it returns once; what it returned is remembered. While it throws it is asked
  ///     again.
  ///   - backoff: the waits after a failure to read or to store.
  ///   - time: measures these waits.
  ///   - report: told about every problem, on any thread.
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

  /// The identifier as far as it is known, without waiting: the fallback's until ``value()`` has read it, and while
  /// nobody is signed in. For `unitID` closures and for parameters that are added to every event.
  public nonisolated var current: String? {
    known.current?.id ?? fallback()
  }

  /// Who is signed in as far as it is known, without waiting; `nil` for nobody.
  public nonisolated var user: User? {
    known.current
  }

  /// Who is signed in, now and after each change. A reader that is slow gets the latest alone.
  public nonisolated var changes: AsyncStream<User?> {
    multicast.stream()
  }

  /// The identifier, or the fallback's: reads it at the first call, and stores what could not be stored before.
  @discardableResult
  public func value() -> String? {
    settle()
    return current
  }

  /// Sets the identifier.
  ///
  /// - Throws: an identifier that is empty or longer than 1,024 bytes; nothing changes.
  public func signIn(_ id: String) throws(InvalidIdentifier) {
    try set(User(id: Self.checked(id), isAnonymous: false))
  }

  /// Forgets the identifier.
  ///
  /// - Parameter newAnonymousID: whether a new one that says nothing about anybody takes its place, so that what
  ///   follows is told apart from what the next user does; else the fallback does.
  /// - Throws: a generated identifier that is empty or longer than 1,024 bytes; nothing changes.
  public func signOut(newAnonymousID: Bool = false) throws(InvalidIdentifier) {
    let user = newAnonymousID ? User(id: try Self.checked(makeAnonymousID()), isAnonymous: true) : nil
    set(user)
  }

  /// Reads the storage again and takes over what another one stored there. What could not be stored before is stored
  /// first, and then stands.
  @discardableResult
  public func refresh() -> String? {
    settle()
    if !isPending { reload() }
    return current
  }

  private func set(_ user: User?) {
    // What is stored is read first, for what is set now is later.
    load()
    record.user = user
    record.hasMigrated = true
    record.revision += 1
    isPending = true
    publish()
    settle()
  }

  /// Lets everybody see who the record says is signed in.
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
  /// Keeps the identifier in a file of its own, and a damaged one in a file beside it whose name ends in `.damaged`;
  /// both are readable by their owner only. All else is as in
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
