package import DualSendCore
public import Foundation

extension TrackerConfiguration {
  /// Where a tracker keeps what waits.
  ///
  /// Waiting events belong to the destination for which they were logged: a collector's host, port and path. The scheme,
  /// the query, headers and the wire format do not count, so a renewed token orphans nothing.
  ///
  /// - The default, ``applicationSupport(movedFrom:)``, keeps a database for each destination. Two trackers of one app
  ///   never get each other's events, in whatever order they are made at the next launch.
  /// - A name or a file that the app gives is one tracker's: it keeps its events when the endpoint moves to another
  ///   address. Give each tracker a name of its own.
  ///
  /// Give names, too, to two trackers whose endpoints differ in their query or headers alone, and to two receivers of one
  /// type.
  public struct StoreLocation: Sendable {
    private let openStore: @Sendable (StoreOpening) throws(TrackingStoreError) -> any TrackingDataStore
    private let replaceStore: @Sendable (any TrackingDataStore) throws(TrackingStoreError) -> any TrackingDataStore

    /// A SQLite database in this file; folders on the way are created.
    ///
    /// One tracker at a time works on a file. A second one, in this process or another, takes a file of its own beside it
    /// (`events-2.sqlite`). The next tracker that opens the first file adopts what was left there for the same destination.
    ///
    /// A table of the sample tracker, `Tracking(id, rawData)`, is taken over from the file. It stays until all of its
    /// events are delivered, dropped or dead-lettered, so that a user who goes back to the app's earlier version loses
    /// nothing. See ``sampleTracker()``.
    public static func file(_ file: URL) -> TrackerConfiguration.StoreLocation {
      database { opening throws(TrackingStoreError) in try opening.open(DatabaseFiles(main: file)) }
    }

    /// A SQLite database in exactly this file, for a tool whose user named it: it fails while another tracker works on it.
    public static func exclusiveFile(_ file: URL) -> TrackerConfiguration.StoreLocation {
      database { opening throws(TrackingStoreError) in try opening.openExclusively(file) }
    }

    /// A SQLite database of the destination's own in the app's support folder.
    ///
    /// It adopts the database that earlier versions kept for all trackers (`events.sqlite`), if the app had one tracker.
    /// An app that had several gives the tracker that the old databases belong to the name `events`, see
    /// ``applicationSupport(name:)``; until then they stay where they are, and the log says so. An app that adds a tracker in
    /// the release that brings this version gives the new one a name.
    ///
    /// - Parameter formerURLs: addresses from which the endpoint has moved. What still waits for them goes to the new one.
    public static func applicationSupport(movedFrom formerURLs: [URL] = []) -> TrackerConfiguration.StoreLocation {
      destinations(in: supportFolder, movedFrom: formerURLs)
    }

    /// A SQLite database with this name in the app's support folder, whatever the destination is.
    ///
    /// - Parameter name: tells several trackers of one app apart.
    public static func applicationSupport(name: String) -> TrackerConfiguration.StoreLocation {
      .file(supportFolder.appendingPathComponent(name + ".sqlite"))
    }

    /// The sample tracker's database, `tracking.sqlite` in the caches folder: its events are taken over, and new ones wait
    /// in the same file.
    ///
    /// The system may empty the caches folder while the app is not running.
    public static func sampleTracker() -> TrackerConfiguration.StoreLocation {
      let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
      return .file((caches ?? FileManager.default.temporaryDirectory).appendingPathComponent("tracking.sqlite"))
    }

    /// Memory; what waits is gone with the process.
    public static let memory = TrackerConfiguration.StoreLocation { opening in
      InMemoryTrackingDataStore(quota: opening.quota, time: opening.time)
    } replaceStore: { store in
      store
    }

    /// A store of the adopter's own. One that says it is damaged is opened anew.
    public static func custom(
      _ open: @escaping @Sendable () throws(TrackingStoreError) -> any TrackingDataStore
    ) -> TrackerConfiguration.StoreLocation {
      TrackerConfiguration.StoreLocation { _ throws(TrackingStoreError) in
        try open()
      } replaceStore: { _ throws(TrackingStoreError) in
        try open()
      }
    }

    /// A database for each destination in this folder.
    static func destinations(in folder: URL, movedFrom formerURLs: [URL]) -> TrackerConfiguration.StoreLocation {
      database { opening throws(TrackingStoreError) in try opening.openOwn(in: folder, movedFrom: formerURLs) }
    }

    private static var supportFolder: URL {
      let support = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
      return (support ?? FileManager.default.temporaryDirectory).appendingPathComponent("DualSend")
    }

    private static func database(
      _ open: @escaping @Sendable (StoreOpening) throws(TrackingStoreError) -> SQLiteTrackingDataStore
    ) -> TrackerConfiguration.StoreLocation {
      TrackerConfiguration.StoreLocation { opening throws(TrackingStoreError) in
        try open(opening)
      } replaceStore: { damaged throws(TrackingStoreError) in
        guard let damaged = damaged as? SQLiteTrackingDataStore else { return damaged }
        return try damaged.replacement()
      }
    }

    /// Opens the store; a damaged database is set aside, counted, and replaced by a fresh one.
    package func open(
      quota: TrackerConfiguration.Quota, time: TimeSource, for destination: StoreDestination? = nil,
      warn: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(TrackingStoreError) -> any TrackingDataStore {
      try openStore(StoreOpening(quota: quota, time: time, destination: destination, warn: warn))
    }

    /// Closes a store that turned out to be damaged, sets its database aside, and opens a fresh one that counts it.
    func replace(damaged store: any TrackingDataStore) throws(TrackingStoreError) -> any TrackingDataStore {
      try replaceStore(store)
    }

    private init(
      openStore: @escaping @Sendable (StoreOpening) throws(TrackingStoreError) -> any TrackingDataStore,
      replaceStore: @escaping @Sendable (any TrackingDataStore) throws(TrackingStoreError) -> any TrackingDataStore
    ) {
      self.openStore = openStore
      self.replaceStore = replaceStore
    }
  }
}
