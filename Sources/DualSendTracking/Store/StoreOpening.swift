import DualSendCore
import Foundation

/// Opens a store with its parameters.
struct StoreOpening: Sendable {
  let quota: TrackerConfiguration.Quota
  let time: TimeSource
  let destination: StoreDestination?

  /// Opens the database with the given name, or the next free one if another tracker uses it. Takes over events that
  /// trackers of the same destination left.
  func open(_ files: DatabaseFiles) throws(TrackingStoreError) -> SQLiteTrackingDataStore {
    try open(files, isExclusive: false)
  }

  /// Opens exactly this database. Does not record the destination, because the app may open it next.
  func openExclusively(_ file: URL) throws(TrackingStoreError) -> SQLiteTrackingDataStore {
    let opening = StoreOpening(quota: quota, time: time, destination: nil)
    return try opening.open(DatabaseFiles(main: file), isExclusive: true)
  }

  /// Opens the destination's database in a folder.
  func openOwn(in folder: URL) throws(TrackingStoreError) -> SQLiteTrackingDataStore {
    guard let destination else { return try open(DatabaseFiles(main: folder.appendingPathComponent("events.sqlite"))) }
    let shelf = folder.appendingPathComponent("destinations")
    return try open(DatabaseFiles(main: shelf.appendingPathComponent(destination.fileName)))
  }

  private func open(_ files: DatabaseFiles, isExclusive: Bool) throws(TrackingStoreError) -> SQLiteTrackingDataStore {
    do {
      try FileManager.default.createDirectory(
        at: files.main.deletingLastPathComponent(), withIntermediateDirectories: true)
    } catch {
      throw TrackingStoreError(kind: .inputOutput, message: error.localizedDescription)
    }
    try DatabaseIdentity.check(files.main)
    let (file, ownership) = isExclusive ? try take(files.main) : try files.takeFirstFree(for: destination)
    let store = try SQLiteTrackingDataStore.openOrReplace(
      file, quota: quota, time: time, ownership: ownership, destination: destination)
    #if canImport(Darwin)
      DatabaseFiles.protect(file)
    #endif
    if file == files.main {
      // The file's destination changed to this one, and so did that of the files left next to it.
      let former = (try? store.note(NoteKey.destination)) ?? nil
      store.adopt(files.leftovers, of: [destination?.number, former])
    }
    store.noteDestination()
    return store
  }

  private func take(_ file: URL) throws(TrackingStoreError) -> (file: URL, ownership: StoreOwnership) {
    guard let ownership = try StoreOwnership.take(file) else {
      throw TrackingStoreError(kind: .busy, message: "a tracker works on it")
    }
    return (file, ownership)
  }
}
