import DualSendCore
import Foundation

/// What a store is opened with.
struct StoreOpening: Sendable {
  let quota: TrackerConfiguration.Quota
  let time: TimeSource
  let destination: StoreDestination?
  /// Logs what people have to decide.
  var warn: @Sendable (String) -> Void = { _ in }

  /// Opens the database of a name that the app gave, or one beside it if another tracker works on it, and adopts what
  /// trackers of the same destination left beside it.
  func open(_ files: DatabaseFiles) throws(TrackingStoreError) -> SQLiteTrackingDataStore {
    try open(files) { () throws(TrackingStoreError) in try files.takeFirstFree(for: destination) }
  }

  /// Opens exactly this database; does not note the destination, because the next one to open it may be the app.
  func openExclusively(_ file: URL) throws(TrackingStoreError) -> SQLiteTrackingDataStore {
    let opening = StoreOpening(quota: quota, time: time, destination: nil)
    return try opening.open(DatabaseFiles(main: file)) { () throws(TrackingStoreError) in
      guard let ownership = try StoreOwnership.take(file) else {
        throw TrackingStoreError(kind: .busy, message: "a tracker works on it")
      }
      return (file, ownership)
    }
  }

  /// Opens the destination's own database in a folder, and adopts what was left for it elsewhere: by trackers of former
  /// addresses, and in the one database that earlier versions kept for every destination.
  func openOwn(in folder: URL, movedFrom formerURLs: [URL]) throws(TrackingStoreError) -> SQLiteTrackingDataStore {
    let shared = DatabaseFiles(main: folder.appendingPathComponent("events.sqlite"))
    guard let destination else { return try open(shared) }
    let shelf = folder.appendingPathComponent("destinations")
    let files = DatabaseFiles(main: shelf.appendingPathComponent(destination.fileName))
    let store = try open(files)
    guard store.file == files.main else { return store }
    var own = files.present
    for former in formerURLs.map({ StoreDestination($0) }) where former != destination {
      let left = DatabaseFiles(main: shelf.appendingPathComponent(former.fileName)).present
      store.adopt(left) { $0 == former.number || $0 == nil }
      own += left
    }
    // Whose the shared one is can be told only where there was one tracker: no second database is beside it, and the
    // shelf holds no other destination's.
    let left = shared.present
    if left.count == 1, Self.databases(in: shelf).isSubset(of: own.map(\.lastPathComponent)) {
      store.adopt(left) { $0 == destination.number || $0 == nil }
    }
    if left.count > 1 {
      let names = left.map(\.lastPathComponent).joined(separator: ", ")
      warn(
        "\(names): databases of an earlier version stay where they are, because it cannot be told which tracker's they are. "
          + "Give the tracker that they belong to .applicationSupport(name: \"events\"), or send them with `dualsend replay`"
      )
    }
    return store
  }

  private static func databases(in folder: URL) -> Set<String> {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return Set(names.filter { $0.hasSuffix(".sqlite") })
  }

  private func open(
    _ files: DatabaseFiles,
    taking take: () throws(TrackingStoreError) -> (file: URL, ownership: StoreOwnership)
  ) throws(TrackingStoreError) -> SQLiteTrackingDataStore {
    do {
      try FileManager.default.createDirectory(
        at: files.main.deletingLastPathComponent(), withIntermediateDirectories: true)
    } catch {
      throw TrackingStoreError(kind: .inputOutput, message: error.localizedDescription)
    }
    try DatabaseIdentity.check(files.main)
    let (file, ownership) = try take()
    let store = try SQLiteTrackingDataStore.openOrReplace(
      file, quota: quota, time: time, ownership: ownership, destination: destination)
    #if canImport(Darwin)
      DatabaseFiles.protect(file)
    #endif
    if file == files.main {
      // A file that noted another destination has moved to this one, and what was left beside it with it.
      let former = (try? store.note(NoteKey.destination)) ?? nil
      store.adopt(files.leftovers) { $0 == nil || $0 == destination?.number || $0 == former }
    }
    store.noteDestination()
    return store
  }
}
