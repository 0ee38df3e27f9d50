import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Makes sure that one tracker at a time works on a database file.
///
/// The lock is the system's (`flock`) on a file of its own beside the database, so that it goes with its process
/// however that ends, and two trackers of one process exclude each other too.
final class StoreOwnership: Sendable {
  private let descriptor: Int32

  /// Takes the lock; `nil` if another tracker has it.
  ///
  /// - Throws: ``TrackingStoreError`` if the lock file cannot be opened.
  static func take(_ file: URL) throws(TrackingStoreError) -> StoreOwnership? {
    let descriptor = open(lockFile(file).path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw TrackingStoreError(kind: .inputOutput, message: "the lock file: " + String(cString: strerror(errno)))
    }
    PrivateFiles.giveToOwner(of: file, descriptor)
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
    // Closing alone would leave the lock to a child that was forked just now and has not come to its `exec`.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}

/// The file that a tracker was told to use, and those beside it for trackers that found it taken.
struct DatabaseFiles: Sendable {
  /// No more files than this are tried; an app that creates more trackers on one file does so by mistake.
  private static let maximumOwners = 16

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

  /// The first of the files that no other tracker works on and that may hold this destination's events, and the lock on it.
  ///
  /// A file that notes this destination goes before one that does not. Without one, the main file is taken whatever it
  /// notes, because its name was given on purpose; of the others only those that note no other destination.
  func takeFirstFree(for destination: StoreDestination?) throws(TrackingStoreError) -> (
    file: URL, ownership: StoreOwnership
  ) {
    let beside = leftovers
    if let destination, !beside.isEmpty {
      for file in [main] + beside where StoreDestination.noted(in: file) == destination.number {
        if let ownership = try StoreOwnership.take(file) { return (file, ownership) }
      }
    }
    for file in candidates where file == main || !isForeign(file) {
      if beside.contains(file), let noted = StoreDestination.noted(in: file), noted != destination?.number { continue }
      if let ownership = try StoreOwnership.take(file) { return (file, ownership) }
    }
    throw TrackingStoreError(kind: .busy, message: "\(Self.maximumOwners) trackers work on this database already")
  }

  /// The files beside the main one that trackers made and may have left.
  var leftovers: [URL] {
    candidates.dropFirst().filter { FileManager.default.fileExists(atPath: $0.path) && !isForeign($0) }
  }

  /// Whether another program's database happens to have a name of this row.
  private func isForeign(_ file: URL) -> Bool {
    (try? DatabaseIdentity.check(file)) == nil
  }

  /// Those of the files that stand there: a database, or the log of one that is gone.
  var present: [URL] {
    candidates.filter { file in
      FileManager.default.fileExists(atPath: file.path) || FileSize.of(URL(fileURLWithPath: file.path + "-wal")) > 0
    }
  }

  /// Deletes a database, itself last: a log without its database would count as damage. The lock file stays: deleting it
  /// under a lock would let two others lock two different files.
  static func remove(_ file: URL) {
    DiskReserve(of: file).release()
    for suffix in PrivateFiles.suffixes { try? FileManager.default.removeItem(atPath: file.path + suffix) }
  }
}
