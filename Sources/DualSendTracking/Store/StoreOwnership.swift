import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Ensures that only one tracker at a time uses a database file.
///
/// Locks a separate file with `flock`, so that the lock ends with the process and also excludes a second tracker in the
/// same process.
final class StoreOwnership: Sendable {
  private let descriptor: Int32

  /// Acquires the lock; `nil` if another tracker holds it.
  ///
  /// - Throws: ``TrackingStoreError`` if the lock file cannot be opened.
  static func take(_ file: URL) throws(TrackingStoreError) -> StoreOwnership? {
    let descriptor = open(lockFile(file).path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw TrackingStoreError(kind: .inputOutput, message: "the lock file: " + String(cString: strerror(errno)))
    }
    DatabaseAccess.giveToOwner(of: file, descriptor)
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      return nil
    }
    return StoreOwnership(descriptor)
  }

  static func lockFile(_ file: URL) -> URL {
    URL(fileURLWithPath: file.path + ".lock")
  }

  private init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit {
    // Closing alone would keep the lock in a child process that was forked but has not called `exec` yet.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}

/// A tracker's database file, and the alternatives if other trackers use it.
struct DatabaseFiles: Sendable {
  /// The most files tried. More trackers on one file are a mistake.
  private static let maximumOwners = 64

  let main: URL

  /// `events.sqlite`, `events-2.sqlite`, `events-3.sqlite`, …
  private var candidates: [URL] {
    let folder = main.deletingLastPathComponent()
    let (name, type) = (main.deletingPathExtension().lastPathComponent, main.pathExtension)
    return [main]
      + (2...Self.maximumOwners).map { number in
        folder.appendingPathComponent("\(name)-\(number)" + (type.isEmpty ? "" : ".\(type)"))
      }
  }

  /// Locks the first file that no other tracker uses and that may hold this destination's events.
  ///
  /// Prefers a file that records this destination. Otherwise takes the main file whatever address it records, because its name
  /// was given on purpose, but not another tenant's; or another file that records no other destination.
  ///
  /// - Parameter former: further destinations whose events are this one's.
  func takeFirstFree(for destination: StoreDestination?, former: [StoreDestination]) throws(TrackingStoreError) -> (
    file: URL, ownership: StoreOwnership
  ) {
    let beside = leftovers
    if let destination, !beside.isEmpty {
      for file in [main] + beside where StoreDestination.noted(in: file) == destination.number {
        if let ownership = try StoreOwnership.take(file) { return (file, ownership) }
      }
    }
    let isOfOtherTenant =
      FileManager.default.fileExists(atPath: main.path)
      && StoreDestination.noted(in: main, as: NoteKey.tenant).map { noted in
        (destination?.excludes(tenant: noted) ?? false) && !former.contains { $0.tenant == noted }
      } ?? false
    for file in candidates where file == main ? !isOfOtherTenant : !isForeign(file) {
      if beside.contains(file), let noted = StoreDestination.noted(in: file), noted != destination?.number { continue }
      if let ownership = try StoreOwnership.take(file) { return (file, ownership) }
    }
    throw TrackingStoreError(kind: .busy, message: "\(Self.maximumOwners) trackers work on this database already")
  }

  /// The existing files next to the main one that trackers may have left.
  var leftovers: [URL] {
    candidates.dropFirst().filter { FileManager.default.fileExists(atPath: $0.path) && !isForeign($0) }
  }

  /// Whether the file is another program's database.
  private func isForeign(_ file: URL) -> Bool {
    (try? DatabaseIdentity.check(file)) == nil
  }

  /// The files that exist as a database or only as its WAL.
  var present: [URL] {
    candidates.filter { file in
      FileManager.default.fileExists(atPath: file.path) || FileSize.of(URL(fileURLWithPath: file.path + "-wal")) > 0
    }
  }

  /// Deletes every tracker's database in a folder of the app and in its `destinations`, with those that were set aside. One that
  /// a tracker uses stays, with its own: that tracker deletes them.
  ///
  /// - Returns: how many events waited in them.
  static func removeAll(in folder: URL) -> Int {
    var count = 0
    for place in [folder, folder.appendingPathComponent(shelf)] {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []
      let databases = Set(names.compactMap { name in name.range(of: ".sqlite").map { String(name[..<$0.upperBound]) } })
      for name in databases.sorted() {
        let file = place.appendingPathComponent(name)
        guard (try? DatabaseIdentity.check(file)) != nil, let ownership = (try? StoreOwnership.take(file)) ?? nil
        else { continue }
        withExtendedLifetime(ownership) {
          count += SQLiteTrackingDataStore.waiting(in: file)
          for aside in DamagedDatabase.setAside(beside: file) { remove(aside) }
          remove(file)
        }
      }
    }
    return count
  }

  /// The folder with a database for each destination, in the app's.
  static let shelf = "destinations"

  /// Deletes a database, the main file last, because a WAL alone would count as damage. Keeps the lock file: otherwise
  /// two trackers could lock two different files.
  static func remove(_ file: URL) {
    DiskReserve(of: file).release()
    for suffix in DatabaseAccess.suffixes { try? FileManager.default.removeItem(atPath: file.path + suffix) }
  }
}
