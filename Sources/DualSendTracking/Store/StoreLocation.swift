import DualSendCore
public import Foundation

extension TrackerConfiguration {
  /// Where a tracker keeps what waits.
  public struct StoreLocation: Sendable {
    private let openStore:
      @Sendable (TrackerConfiguration.Quota, TimeSource) throws(TrackingStoreError) -> any TrackingDataStore
    private let replaceStore: @Sendable (any TrackingDataStore) throws(TrackingStoreError) -> any TrackingDataStore

    /// A SQLite database in this file; folders on the way are created.
    ///
    /// One tracker at a time works on a file. A second one, in this process or another, takes a file of its own beside it
    /// (`events-2.sqlite`); whoever opens the file next adopts what is left there once its owner is gone.
    public static func file(_ file: URL) -> TrackerConfiguration.StoreLocation {
      database(file) { files throws(TrackingStoreError) in try files.takeFirstFree() }
    }

    /// A SQLite database in exactly this file, for a tool whose user named it: it fails while another tracker works on it.
    public static func exclusiveFile(_ file: URL) -> TrackerConfiguration.StoreLocation {
      database(file) { files throws(TrackingStoreError) in
        guard let ownership = try StoreOwnership.take(file) else {
          throw TrackingStoreError(kind: .busy, message: "a tracker works on it")
        }
        return (files.main, ownership)
      }
    }

    private static func database(
      _ file: URL,
      taking take:
        @escaping @Sendable (DatabaseFiles) throws(TrackingStoreError) -> (file: URL, ownership: StoreOwnership)
    ) -> TrackerConfiguration.StoreLocation {
      TrackerConfiguration.StoreLocation { quota, time throws(TrackingStoreError) in
        do {
          try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        } catch {
          throw TrackingStoreError(kind: .inputOutput, message: error.localizedDescription)
        }
        try DatabaseIdentity.check(file)
        let files = DatabaseFiles(main: file)
        let (free, ownership) = try take(files)
        let store = try SQLiteTrackingDataStore.openOrReplace(free, quota: quota, time: time, ownership: ownership)
        #if canImport(Darwin)
          DatabaseFiles.protect(free)
        #endif
        if free == file { try store.adoptLeftovers(of: files) }
        return store
      } replaceStore: { damaged throws(TrackingStoreError) in
        guard let damaged = damaged as? SQLiteTrackingDataStore else { return damaged }
        return try damaged.replacement()
      }
    }

    /// A SQLite database in the app's support folder.
    ///
    /// - Parameter name: tells several trackers of one app apart.
    public static func applicationSupport(name: String = "events") -> TrackerConfiguration.StoreLocation {
      let support = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
      let folder = (support ?? FileManager.default.temporaryDirectory).appendingPathComponent("DualSend")
      return .file(folder.appendingPathComponent(name + ".sqlite"))
    }

    /// Memory; what waits is gone with the process.
    public static let memory = TrackerConfiguration.StoreLocation { quota, time in
      InMemoryTrackingDataStore(quota: quota, time: time)
    } replaceStore: { store in
      store
    }

    /// A store of the adopter's own. One that says it is damaged is opened anew.
    public static func custom(
      _ open: @escaping @Sendable () throws(TrackingStoreError) -> any TrackingDataStore
    ) -> TrackerConfiguration.StoreLocation {
      TrackerConfiguration.StoreLocation { _, _ throws(TrackingStoreError) in
        try open()
      } replaceStore: { _ throws(TrackingStoreError) in
        try open()
      }
    }

    /// Opens the store; a damaged database is set aside, counted, and replaced by a fresh one.
    package func open(quota: TrackerConfiguration.Quota, time: TimeSource) throws(TrackingStoreError)
      -> any TrackingDataStore
    {
      try openStore(quota, time)
    }

    /// Closes a store that turned out to be damaged, sets its database aside, and opens a fresh one that counts it.
    func replace(damaged store: any TrackingDataStore) throws(TrackingStoreError) -> any TrackingDataStore {
      try replaceStore(store)
    }

    private init(
      openStore:
        @escaping @Sendable (TrackerConfiguration.Quota, TimeSource) throws(TrackingStoreError) -> any TrackingDataStore,
      replaceStore: @escaping @Sendable (any TrackingDataStore) throws(TrackingStoreError) -> any TrackingDataStore
    ) {
      self.openStore = openStore
      self.replaceStore = replaceStore
    }
  }
}
