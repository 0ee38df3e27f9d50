import DualSendCore
import Foundation

/// The rollout in force and the status of its fetcher, readable from any thread.
///
/// Only the fetcher writes it, so its reads and writes cannot interleave with others'.
final class CurrentRollout: Sendable {
  private struct State: Sendable {
    var rollout: VerifiedRollout
    var status: RemoteConfigFetcher.Status
  }

  private let state: Locked<State>
  private let changes: Multicast<RolloutSnapshot>

  init(_ rollout: VerifiedRollout) {
    changes = Multicast(current: rollout.snapshot)
    state = Locked(State(rollout: rollout, status: RemoteConfigFetcher.Status(of: rollout)))
  }

  var rollout: VerifiedRollout { state.withLock { $0.rollout } }
  var snapshot: RolloutSnapshot { state.withLock { $0.rollout.snapshot } }
  var status: RemoteConfigFetcher.Status { state.withLock { $0.status } }

  /// Puts a rollout in force, and notifies readers after unlocking.
  func put(_ rollout: VerifiedRollout) {
    state.withLock { state in
      state.rollout = rollout
      state.status.adopt(rollout)
    }
    changes.send(rollout.snapshot)
  }

  /// Marks the rollout in force as current at its source, possibly with other bytes or another signature.
  func confirm(_ text: VerifiedRollout.Text?) {
    state.withLock { state in
      state.rollout.text = text
      state.rollout.source = .fresh
      state.status.adopt(state.rollout)
    }
  }

  func updateStatus(_ change: (inout RemoteConfigFetcher.Status) -> Void) {
    state.withLock { change(&$0.status) }
  }

  /// The snapshot in force and every later one. A slow reader gets only the newest.
  func snapshots() -> AsyncStream<RolloutSnapshot> {
    changes.stream()
  }
}

/// A rollout that passed validation, with its source text.
struct VerifiedRollout: Sendable {
  /// The exact bytes of a document, with their signature and entity tag.
  struct Text: Sendable, Equatable {
    var bytes: [UInt8]
    var signature: String?
    /// The entity tag of these bytes.
    var entityTag: EntityTag?
  }

  /// An entity tag with its address: two servers may use the same tag for different documents.
  struct EntityTag: Sendable, Equatable {
    let text: String
    let url: String

    init(_ text: String, at url: String) {
      self.text = text
      self.url = url
    }

    init(_ text: String, at url: URL) {
      self.init(text, at: url.absoluteString)
    }
  }

  private(set) var snapshot: RolloutSnapshot
  /// The source text; `nil` for booleans and for the in-app default.
  var text: Text?
  var source: RemoteConfigFetcher.Status.Source

  init(_ snapshot: RolloutSnapshot, text: Text? = nil, source: RemoteConfigFetcher.Status.Source) {
    self.snapshot = snapshot
    self.text = text
    self.source = source
  }

  /// The lowest revision that a newer document may have; `nil` for booleans and for the in-app default.
  var bindingRevision: Int64? {
    source == .inAppDefault ? nil : snapshot.revision
  }

  /// The entity tag for requests to this address; `nil` if it is from another address.
  func entityTag(for url: URL) -> String? {
    text?.entityTag.flatMap { $0 == EntityTag($0.text, at: url) ? $0.text : nil }
  }

  /// Evaluates the schedules again if a step is due or the clock was set back.
  ///
  /// - Parameter time: the trusted time in milliseconds since 1970-01-01T00:00:00Z; `nil` if there is none.
  /// - Returns: whether the snapshot changed.
  mutating func advance(to time: Int64?) -> Bool {
    guard let time, let compiled = snapshot.compiled, compiled.hasSchedules else { return false }
    let isDue = snapshot.nextChange.map { $0 <= time } ?? false
    let wasEarly = snapshot.time.map { $0 > time } ?? false
    guard isDue || wasEarly else { return false }
    snapshot = RolloutSnapshot(compiled.document, at: time)
    return true
  }
}
