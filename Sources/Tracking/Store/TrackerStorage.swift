public import Foundation
import Platform

/// Where a tracker keeps what waits.
public struct TrackerStorage: Sendable {
  private let open: @Sendable (StoreQuota, TimeSource) throws(TrackingStoreError) -> any TrackingDataStore
  private let setAside: @Sendable () throws(TrackingStoreError) -> Int

  /// A SQLite database in this file; folders on the way are created.
  public static func file(_ file: URL) -> TrackerStorage {
    TrackerStorage { quota, time throws(TrackingStoreError) in
      do {
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      } catch {
        throw TrackingStoreError(kind: .inputOutput, message: error.localizedDescription)
      }
      return try SQLiteTrackingDataStore(file: file, quota: quota, time: time)
    } setAside: { () throws(TrackingStoreError) -> Int in
      try DamagedDatabase.setAside(file)
    }
  }

  /// A SQLite database in the app's support folder.
  ///
  /// - Parameter name: tells several trackers of one app apart.
  public static func applicationSupport(name: String = "events") -> TrackerStorage {
    let support = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
    let folder = (support ?? FileManager.default.temporaryDirectory).appendingPathComponent("DualSend")
    return .file(folder.appendingPathComponent(name + ".sqlite"))
  }

  /// Memory; what waits is gone with the process.
  public static let memory = TrackerStorage { quota, time in
    InMemoryTrackingDataStore(quota: quota, time: time)
  } setAside: {
    0
  }

  /// A store of the adopter's own.
  public static func custom(
    _ open: @escaping @Sendable () throws(TrackingStoreError) -> any TrackingDataStore
  ) -> TrackerStorage {
    TrackerStorage { _, _ throws(TrackingStoreError) in
      try open()
    } setAside: {
      0
    }
  }

  /// Opens the store; a damaged database is set aside, counted, and replaced by a fresh one.
  func open(quota: StoreQuota, time: TimeSource) throws(TrackingStoreError) -> any TrackingDataStore {
    do {
      return try open(quota, time)
    } catch  where error.kind == .damaged {
      return try replaceDamaged(quota: quota, time: time)
    }
  }

  /// Sets the damaged database aside and opens a fresh one that knows of it.
  func replaceDamaged(quota: StoreQuota, time: TimeSource) throws(TrackingStoreError) -> any TrackingDataStore {
    let count = try setAside()
    let store = try open(quota, time)
    try (store as? SQLiteTrackingDataStore)?.recordDatabasesSetAside(count)
    return store
  }

  private init(
    open: @escaping @Sendable (StoreQuota, TimeSource) throws(TrackingStoreError) -> any TrackingDataStore,
    setAside: @escaping @Sendable () throws(TrackingStoreError) -> Int
  ) {
    self.open = open
    self.setAside = setAside
  }
}
