package import DualSendCore
public import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension TrackerConfiguration {
  /// The location of a tracker's pending events.
  ///
  /// Pending events belong to a destination: a collector's host, port and path, and the tenant: the key that a vendor bills
  /// by (``WireFormat/tenant``, ``TrackingEndpoint/tenant``). The scheme, the query, other headers and the wire format do not
  /// count, so events stay deliverable when a token is renewed.
  ///
  /// - ``applicationSupport()``, the default, keeps a database for each destination. Two trackers of an app
  ///   never get each other's events, whatever the order of their creation.
  /// - A file or a name belongs to one tracker, and keeps its events when the endpoint's URL changes. Give each tracker
  ///   its own.
  ///
  /// What waits for a former address or another key is kept for it, and counted as dropped when it is too old.
  /// ``TrackerConfiguration/formerEndpoints`` sends it to the new one.
  ///
  /// Also use names for two trackers whose endpoints differ only in query or headers, and for two receivers of the same
  /// type.
  public struct StoreLocation: Sendable {
    /// Which folder has the note of the user's consent.
    private enum Place: Sendable {
      /// The app's own. In unit tests and previews, which decide nothing for the app's user, that of this file.
      case app(orBeside: URL? = nil)
      case folder(URL)
      case none
    }

    private let place: Place
    /// Whether each destination has a database; otherwise each tenant.
    private var isForOneDestination = false
    private let openStore: @Sendable (StoreOpening) throws(TrackingStoreError) -> any TrackingDataStore
    private let replaceStore: @Sendable (any TrackingDataStore) throws(TrackingStoreError) -> any TrackingDataStore

    /// A SQLite database in this file. Creates missing folders.
    ///
    /// On iOS, tvOS, watchOS and visionOS the database can be used from the first unlock of the device, also while it is
    /// locked, as launches in the background need. A folder that exists already keeps its protection class: if that is
    /// `complete`, create the folder of the database for it alone, or let the tracker create it.
    ///
    /// Only one tracker at a time uses a file. A second one, in this or another process, uses a file next to it
    /// (`events-2.sqlite`). The next tracker that opens the first file takes over the events left there for the same
    /// destination.
    ///
    /// The sample tracker's table, `Tracking(id, rawData)`, is taken over. It stays until all of its events are
    /// delivered, dropped or dead-lettered, so that a user who reinstalls the app's earlier version loses no events.
    /// See ``sampleTracker()``.
    public static func file(_ file: URL) -> TrackerConfiguration.StoreLocation {
      database(.app(orBeside: file)) { opening throws(TrackingStoreError) in
        try opening.open(DatabaseFiles(main: file))
      }
    }

    /// A SQLite database in exactly this file, for tools. Opening fails while another tracker uses it.
    package static func exclusiveFile(_ file: URL) -> TrackerConfiguration.StoreLocation {
      database(.none) { opening throws(TrackingStoreError) in try opening.openExclusively(file) }
    }

    /// A SQLite database for the destination, in the app's own folder: `DualSend/<app>` in Application Support, where the app is
    /// its bundle identifier, else the name of its executable; on tvOS in Caches.
    public static func applicationSupport() -> TrackerConfiguration.StoreLocation {
      database(.app(), isForOneDestination: true) { opening throws(TrackingStoreError) in
        try opening.openOwn(in: AppFolder.url(of: opening.party))
      }
    }

    /// A SQLite database with this name in the app's support folder, for any address, so that pending events stay deliverable when
    /// the endpoint moves to another one. Another tenant's events wait in a file next to it.
    ///
    /// - Parameter name: a name that is unique among the app's trackers.
    public static func applicationSupport(name: String) -> TrackerConfiguration.StoreLocation {
      database(.app()) { opening throws(TrackingStoreError) in
        let folder = AppFolder.url(of: opening.party)
        return try opening.open(DatabaseFiles(main: folder.appendingPathComponent(name + ".sqlite")))
      }
    }

    /// The sample tracker's database, `tracking.sqlite` in the caches folder. Its events are taken over, and new ones
    /// are stored in the same file.
    ///
    /// The system may delete the caches folder while the app is not running.
    public static func sampleTracker() -> TrackerConfiguration.StoreLocation {
      let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
      return .file((caches ?? FileManager.default.temporaryDirectory).appendingPathComponent("tracking.sqlite"))
    }

    /// In memory. Pending events are lost when the process ends.
    public static let memory: TrackerConfiguration.StoreLocation = database(.app()) {
      opening throws(TrackingStoreError) in
      try SQLiteTrackingDataStore(inMemoryWithQuota: opening.quota, time: opening.time)
    }

    /// Your own store. It is opened again if it reports damage.
    package static func custom(
      _ open: @escaping @Sendable () throws(TrackingStoreError) -> any TrackingDataStore
    ) -> TrackerConfiguration.StoreLocation {
      TrackerConfiguration.StoreLocation(place: .none) { _ throws(TrackingStoreError) in
        try open()
      } replaceStore: { _ throws(TrackingStoreError) in
        try open()
      }
    }

    /// A database for each destination in this folder.
    static func destinations(in folder: URL) -> TrackerConfiguration.StoreLocation {
      database(.folder(folder), isForOneDestination: true) { opening throws(TrackingStoreError) in
        try opening.openOwn(in: folder)
      }
    }

    private static func database(
      _ place: Place, isForOneDestination: Bool = false,
      _ open: @escaping @Sendable (StoreOpening) throws(TrackingStoreError) -> SQLiteTrackingDataStore
    ) -> TrackerConfiguration.StoreLocation {
      var location = TrackerConfiguration.StoreLocation(place: place) { opening throws(TrackingStoreError) in
        try open(opening)
      } replaceStore: { damaged throws(TrackingStoreError) in
        guard let damaged = damaged as? SQLiteTrackingDataStore else { return damaged }
        return try damaged.replacement()
      }
      location.isForOneDestination = isForOneDestination
      return location
    }

    /// Opens the store. A damaged database is set aside, counted and replaced.
    package func open(
      quota: TrackerConfiguration.Quota, time: TimeSource, for destination: StoreDestination? = nil,
      party: String? = nil, former: [StoreDestination] = []
    ) throws(TrackingStoreError) -> any TrackingDataStore {
      try openStore(StoreOpening(quota: quota, time: time, destination: destination, party: party, former: former))
    }

    /// Whether events for one destination wait in another database than those for the other.
    func separates(_ one: StoreDestination, _ other: StoreDestination) -> Bool {
      isForOneDestination ? one != other : one.excludes(other)
    }

    /// Closes a damaged store, sets its database aside, and opens a new one that counts it.
    func replace(damaged store: any TrackingDataStore) throws(TrackingStoreError) -> any TrackingDataStore {
      try replaceStore(store)
    }

    /// Where the consent of a party's user is kept.
    func consentHome(of party: String?) -> ConsentHome {
      switch place {
      case .app where !AppFolder.isOfTestsOrPreview: return .app(party)
      case .app(let file):
        guard let file else { return .memory }
        return ConsentHome(note: ConsentHome.folder(file.deletingLastPathComponent()).note)
      case .folder(let folder): return .folder(folder)
      case .none: return .memory
      }
    }

    private init(
      place: Place,
      openStore: @escaping @Sendable (StoreOpening) throws(TrackingStoreError) -> any TrackingDataStore,
      replaceStore: @escaping @Sendable (any TrackingDataStore) throws(TrackingStoreError) -> any TrackingDataStore
    ) {
      self.place = place
      self.openStore = openStore
      self.replaceStore = replaceStore
    }
  }
}

// MARK: - Store opening

/// Opens a store with its parameters.
struct StoreOpening: Sendable {
  let quota: TrackerConfiguration.Quota
  let time: TimeSource
  let destination: StoreDestination?
  /// The party whose folder has the database; `nil` for the app.
  var party: String?
  /// Further destinations whose events are this one's.
  var former: [StoreDestination] = []

  /// Opens the database with the given name, or the next free one if another tracker uses it. Takes over events that
  /// trackers of the same destination left.
  func open(_ files: DatabaseFiles) throws(TrackingStoreError) -> SQLiteTrackingDataStore {
    try open(files, isExclusive: false)
  }

  /// Opens exactly this database. Does not record the destination, because the app may open it next.
  func openExclusively(_ file: URL) throws(TrackingStoreError) -> SQLiteTrackingDataStore {
    let opening = StoreOpening(quota: quota, time: time, destination: nil)
    do { return try opening.open(DatabaseFiles(main: file), isExclusive: true) } catch {
      // A tool must not work in memory instead.
      guard error.kind == .unusableFolder else { throw error }
      throw TrackingStoreError(kind: .inputOutput, message: error.message)
    }
  }

  /// Opens the destination's database in a folder.
  func openOwn(in folder: URL) throws(TrackingStoreError) -> SQLiteTrackingDataStore {
    guard let destination else { return try open(DatabaseFiles(main: folder.appendingPathComponent("events.sqlite"))) }
    let shelf = folder.appendingPathComponent(DatabaseFiles.shelf)
    let store = try open(DatabaseFiles(main: shelf.appendingPathComponent(destination.fileName)))
    let files = (try? FileManager.default.contentsOfDirectory(at: shelf, includingPropertiesForKeys: nil)) ?? []
    let others = files.filter { $0.pathExtension == "sqlite" && $0.lastPathComponent != store.file?.lastPathComponent }
    if !former.isEmpty { store.adopt(others, of: former.map(\.number)) }
    store.expire(others)
    store.neighbours.withLock { $0 = others }
    return store
  }

  private func open(_ files: DatabaseFiles, isExclusive: Bool) throws(TrackingStoreError) -> SQLiteTrackingDataStore {
    try prepareFolder(files.main.deletingLastPathComponent())
    try DatabaseIdentity.check(files.main)
    let (file, ownership) =
      isExclusive ? try take(files.main) : try files.takeFirstFree(for: destination, former: former)
    let store = try SQLiteTrackingDataStore.openOrReplace(
      file, quota: quota, time: time, ownership: ownership, destination: destination)
    #if canImport(Darwin)
      DatabaseFiles.protect(file)
    #endif
    if file == files.main {
      // The file's destination changed to this one, and so did that of the files left next to it.
      let noted = (try? store.note(NoteKey.destination)) ?? nil
      store.adopt(files.leftovers, of: [destination?.number, noted, nil] + former.map(\.number))
    }
    store.noteDestination()
    let others = files.present.filter { $0 != file }
    if !isExclusive { store.expire(others) }
    store.neighbours.withLock { $0 = others }
    return store
  }

  private func prepareFolder(_ folder: URL) throws(TrackingStoreError) {
    #if canImport(Darwin) && !os(macOS)
      if folder.path.contains("/Containers/Shared/AppGroup/") {
        throw TrackingStoreError(
          kind: .unusableFolder,
          message: "an app group's container: the system ends a suspended process that holds a lock there (0xdead10cc)")
      }
      // Another folder keeps its protection class, because the app's other files get it too.
      let isOwn = (folder.path + "/").hasPrefix(AppFolder.url.path + "/")
      let isProtected = isOwn || !FileManager.default.fileExists(atPath: folder.path)
    #endif
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      let isFull = (error as? CocoaError)?.code == .fileWriteOutOfSpace
      throw TrackingStoreError(kind: isFull ? .full : .unusableFolder, message: error.localizedDescription)
    }
    #if canImport(Darwin) && !os(macOS)
      if isProtected { DatabaseFiles.protectFolder(folder) }
    #endif
    if access(folder.path, W_OK) != 0, [EACCES, EPERM, EROFS].contains(errno) {
      throw TrackingStoreError(kind: .unusableFolder, message: String(cString: strerror(errno)))
    }
  }

  private func take(_ file: URL) throws(TrackingStoreError) -> (file: URL, ownership: StoreOwnership) {
    guard let ownership = try StoreOwnership.take(file) else {
      throw TrackingStoreError(kind: .busy, message: "a tracker works on it")
    }
    return (file, ownership)
  }
}
