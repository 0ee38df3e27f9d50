import DualSendCore
import Foundation

/// Opens a store with its parameters.
struct StoreOpening: Sendable {
  let quota: TrackerConfiguration.Quota
  let time: TimeSource
  let destination: StoreDestination?
  /// Logs a warning that needs a decision.
  var warn: @Sendable (String) -> Void = { _ in }

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

  /// Opens the destination's database in a folder. Takes over events of former URLs, and of the database that earlier
  /// versions shared among all destinations.
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
      store.adopt(left, of: [former.number])
      own += left
    }
    // The owner of the shared database is certain only if there was one tracker: there is no second database, and none
    // for another destination.
    let left = shared.present
    if left.count == 1, Self.databases(in: shelf).isSubset(of: own.map(\.lastPathComponent)) {
      store.adopt(left, of: [destination.number])
    }
    if left.count > 1 {
      let names = left.map(\.lastPathComponent).joined(separator: ", ")
      warn(
        "\(names): databases of an earlier version were not taken over, because their tracker is unknown. "
          + "Give their tracker .applicationSupport(name: \"events\"), or send them with `dualsend replay`"
      )
    }
    return store
  }

  private static func databases(in folder: URL) -> Set<String> {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return Set(names.filter { $0.hasSuffix(".sqlite") })
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
