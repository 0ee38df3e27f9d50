import DualSendCore
import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The decision of the app's user, which all trackers and processes of the app share.
///
/// A small file of its own, so that it survives another address, another key, and the loss of a database. Trackers read it again
/// before they store or send anything, because another tracker or process may have changed it.
final class ConsentNote: Sendable {
  private struct State: Sendable {
    var consent: Tracker.Consent
    var isLoaded = false
    /// Whether a decision was made, in this launch or an earlier one.
    var isDecided = false
    /// Whether the file does not have the decision.
    var isUnsaved = false
    /// Whether the app's defaults have the decision in place of the file.
    var isInDefaults = false
    /// Why the decision is in memory alone, or cannot be read, until it is reported.
    var failure: TrackingStoreError?
  }

  private let home: ConsentHome
  private let inbox: Inbox
  private let state: Locked<State>
  /// Changes of the file, the state and the inbox happen in one order.
  private let order = Locked<Void>(())

  /// - Parameters:
  ///   - home: where the decision is kept.
  ///   - configured: the consent until the user decides. A denial is a decision.
  ///   - inbox: accepts no events while consent is denied.
  init(home: ConsentHome, configured: Tracker.Consent, inbox: Inbox) {
    self.home = home
    self.inbox = inbox
    state = Locked(State(consent: configured))
    if configured == .denied { inbox.setDenied(true) }
  }

  /// The folder whose databases a denial deletes; `nil` for none.
  var databases: URL? { home.databases }

  /// Whether a decision was made, in this launch or an earlier one.
  var isDecided: Bool { state.withLock(\.isDecided) }

  /// Takes the failure to read or keep the decision, so that it is reported once.
  func takeFailure() -> TrackingStoreError? {
    state.withLock { state in
      defer { state.failure = nil }
      return state.failure
    }
  }

  /// Keeps a decision. Returns when it is on disk, and holds for the next event that is logged.
  func decide(_ consent: Tracker.Consent) {
    order.withLock { _ in
      read()
      apply(consent, isDecided: true)
      save(consent)
    }
  }

  /// Reads the decision again.
  func refresh() -> Tracker.Consent {
    order.withLock { _ in
      read()
      return state.withLock(\.consent)
    }
  }

  private func read() {
    let before = state.current
    if before.isUnsaved { return save(before.consent) }
    if before.isLoaded, home.note == nil { return }
    if let kept = home.keptInDefaults {
      apply(kept, isDecided: true)
      // Each launch tries the file again.
      if !before.isInDefaults { save(kept) }
      return
    }
    let stored: Tracker.Consent?
    do { stored = try home.read() } catch {
      guard !before.isLoaded else { return }
      // Neither sent nor deleted until it can be read, such as after the first unlock.
      state.withLock { $0.failure = error }
      return apply(before.consent == .denied ? .denied : .pending, isDecided: true)
    }
    if !before.isLoaded, before.consent == .denied, stored != .denied {
      apply(.denied, isDecided: true)
      return save(.denied)
    }
    if let stored { apply(stored, isDecided: true) } else { apply(before.consent, isDecided: before.isDecided) }
  }

  /// What was logged while consent was denied is dropped, and what was logged before a denial.
  private func apply(_ consent: Tracker.Consent, isDecided: Bool) {
    let isNew = state.withLock { state in
      defer { (state.consent, state.isLoaded, state.isDecided) = (consent, true, isDecided) }
      return state.consent != consent || !state.isLoaded
    }
    if isNew { inbox.setDenied(consent == .denied) }
  }

  private func save(_ consent: Tracker.Consent) {
    do {
      let isInFile = try home.write(consent)
      state.withLock { ($0.isUnsaved, $0.isInDefaults, $0.failure) = (false, !isInFile, nil) }
    } catch {
      state.withLock { state in
        // Said once, and tried again before each later commit.
        if !state.isUnsaved { state.failure = error }
        state.isUnsaved = true
      }
    }
  }
}

// MARK: - Place

/// Where the decision of a party's user is kept, and which databases belong to it.
struct ConsentHome: Sendable {
  /// The file; `nil` to keep the decision in memory.
  var note: URL?
  /// The folder of the party's databases; `nil` if there are none besides the tracker's own.
  var databases: URL?
  /// The key of the app's own `UserDefaults` that has the decision while the file cannot be written; `nil` for none.
  var defaultsKey: String?

  /// In memory.
  static let memory = ConsentHome()

  /// A file in this folder, whose databases belong to the party.
  static func folder(_ folder: URL) -> ConsentHome {
    ConsentHome(note: folder.appendingPathComponent(fileName), databases: folder)
  }

  /// The app's own folder, or that of another party.
  static func app(_ party: String?) -> ConsentHome {
    var home = folder(AppFolder.url(of: party))
    home.defaultsKey = "dualsend.consent" + (party.map { "." + $0 } ?? "")
    return home
  }

  private static let fileName = "consent"

  /// The decision that is newer than the file, because that could not be written.
  var keptInDefaults: Tracker.Consent? {
    defaultsKey.flatMap { UserDefaults.standard.string(forKey: $0) }.flatMap(Self.consent)
  }

  /// The decision in the file; `nil` if there is none.
  func read() throws(TrackingStoreError) -> Tracker.Consent? {
    guard let note else { return nil }
    let descriptor = open(note.path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw Self.error("the user's consent cannot be read, so nothing is sent", String(cString: strerror(errno)))
    }
    let bytes = try? FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).read(upToCount: 16)
    guard let consent = Self.consent(String(decoding: bytes ?? Data(), as: UTF8.self)) else {
      throw Self.error("the user's consent cannot be read, so nothing is sent until `setConsent`", note.path)
    }
    return consent
  }

  /// Replaces the decision. Returns when it is on disk.
  ///
  /// - Returns: whether it is in the file; otherwise it is in the app's defaults.
  func write(_ consent: Tracker.Consent) throws(TrackingStoreError) -> Bool {
    guard let note else { return true }
    #if !os(tvOS)
      do {
        #if canImport(Darwin) && !os(macOS)
          let folder = note.deletingLastPathComponent()
          try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
          DatabaseFiles.protectFolder(folder)
        #endif
        try PrivateFile.replace(note, with: Array(Self.word(consent).utf8))
        if let defaultsKey, UserDefaults.standard.object(forKey: defaultsKey) != nil {
          UserDefaults.standard.removeObject(forKey: defaultsKey)
          _ = UserDefaults.standard.synchronize()
        }
        return true
      } catch {
        if isKeptInDefaults(consent) { return false }
        throw Self.error("the user's consent holds only until the process ends", "\(error)")
      }
    #else
      // The system may empty the only folder that an app can write.
      if isKeptInDefaults(consent) { return false }
      throw Self.error("the user's consent holds only until the process ends", "the user defaults cannot be written")
    #endif
  }

  private func isKeptInDefaults(_ consent: Tracker.Consent) -> Bool {
    guard let defaultsKey else { return false }
    UserDefaults.standard.set(Self.word(consent), forKey: defaultsKey)
    return UserDefaults.standard.synchronize()
  }

  private static let words: [(consent: Tracker.Consent, word: String)] = [
    (.pending, "pending"), (.granted, "granted"), (.denied, "denied"),
  ]

  private static func word(_ consent: Tracker.Consent) -> String { words.first { $0.consent == consent }?.word ?? "" }

  private static func consent(_ word: String) -> Tracker.Consent? { words.first { $0.word == word }?.consent }

  private static func error(_ what: String, _ why: String) -> TrackingStoreError {
    TrackingStoreError(kind: .inputOutput, message: "\(what): \(why)")
  }
}
