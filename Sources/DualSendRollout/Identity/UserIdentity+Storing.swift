import DualSendCore
import Foundation

extension UserIdentity {
  /// Reads the storage if necessary, stores pending changes, and schedules a retry if either fails.
  func settle() {
    let isSettled = load() && store()
    if isSettled {
      failures = 0
      retry?.cancel()
      retry = nil
    } else {
      failures += 1
      scheduleRetry()
    }
  }

  private func scheduleRetry() {
    guard retry == nil, let delay = backoff.delay(afterFailures: failures, fraction: { 1 }) else { return }
    retry = Task { [weak self, time] in
      guard (try? await time.sleep(delay)) != nil else { return }
      await self?.tryAgain()
    }
  }

  private func tryAgain() {
    retry = nil
    settle()
  }

  /// Reads the storage unless it was read before, and migrates the app's own identifier.
  ///
  /// - Returns: whether the storage was read, now or before.
  @discardableResult
  func load() -> Bool {
    guard lastBytes == nil else {
      migrateIfNeeded()
      return true
    }
    guard let stored = read() else { return false }
    // A change that was made while the storage could not be read is newer than the stored record.
    if isPending {
      record.revision = max(record.revision, stored.revision + 1)
    } else {
      record = stored
      publish()
    }
    migrateIfNeeded()
    return true
  }

  /// Replaces the record by the stored one, unless that is damaged.
  func reload() {
    guard let stored = read() else { return }
    if isPending { return settle() }
    record = stored
    publish()
  }

  /// The stored record; `nil` if the storage cannot be read. Sets damaged bytes aside and returns an empty record.
  private func read() -> UserRecord? {
    do {
      let bytes = try storage.read()
      guard let bytes else {
        lastBytes = LastBytes(bytes: nil)
        return UserRecord()
      }
      switch UserRecord.read(bytes) {
      case .record(let stored):
        lastBytes = LastBytes(bytes: bytes)
        return stored
      case .newerFormat:
        report(.notReadable("a later version of DualSend wrote it"))
        return nil
      case .damaged:
        do { try setAside.write(bytes) } catch {
          report(.notSetAside(error.localizedDescription))
          return nil
        }
        report(.damaged)
        lastBytes = LastBytes(bytes: bytes)
        // The record in memory, which may be empty, replaces the damaged bytes.
        isPending = true
        return UserRecord()
      }
    } catch {
      report(.notReadable(error.localizedDescription))
      return nil
    }
  }

  private func migrateIfNeeded() {
    guard !record.hasMigrated, let migrate else { return }
    do {
      // Many stores return an empty text for no value.
      let id = try migrate().flatMap { $0.isEmpty ? nil : $0 }
      if record.user == nil, let id { record.user = User(id: try Self.checked(id), isAnonymous: false) }
      record.hasMigrated = true
      record.revision += 1
      isPending = true
      publish()
    } catch {
      report(.notMigrated(error.localizedDescription))
    }
  }

  /// Stores a pending change. Sets aside or supersedes bytes that another writer stored.
  ///
  /// - Returns: whether no change is pending.
  private func store() -> Bool {
    guard isPending else { return true }
    do {
      let found = LastBytes(bytes: try storage.read())
      if let lastBytes, found != lastBytes, let bytes = found.bytes {
        if case .record(let other) = UserRecord.read(bytes) {
          record.revision = max(record.revision, other.revision + 1)
        } else {
          try setAside.write(bytes)
        }
        report(.changedElsewhere)
      }
      let bytes = record.bytes
      try storage.write(bytes)
      lastBytes = LastBytes(bytes: bytes)
      isPending = false
      return true
    } catch {
      report(.notStored(error.localizedDescription))
      return false
    }
  }
}
