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
  var bindingRevision: Int64? { source == .inAppDefault ? nil : snapshot.revision }

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

// MARK: - Rollout validator

/// Validates documents that are fetched, offered or stored.
struct RolloutValidator: Sendable {
  /// A valid document.
  enum Admission: Sendable {
    case new(VerifiedRollout)
    /// The known content, possibly with other bytes or another signature.
    case known(VerifiedRollout.Text)
  }

  let publicKeys: [RolloutPublicKey]
  let verifier: RolloutSignatureVerifier?
  let audience: String?
  let maximumBytes: Int
  let allowsAnyRevision: Bool

  init(_ options: RemoteConfigFetcher.Options) {
    publicKeys = options.publicKeys
    verifier = options.verifier
    audience = options.audience
    maximumBytes = options.maximumBytes
    allowsAnyRevision = options.allowsAnyRevision
  }

  /// Validates bytes from a server or the app.
  ///
  /// - Parameters:
  ///   - text: the document and its signature.
  ///   - known: the newest rollout, in force or pending.
  ///   - time: the trusted time, for schedules.
  func admit(
    _ text: VerifiedRollout.Text, known: VerifiedRollout, at time: Int64?
  ) throws(RemoteConfigFetcher.Failure) -> Admission {
    try check(text)
    // The same bytes were read before.
    if let knownText = known.text, knownText.bytes == text.bytes { return .known(text) }
    let document = try read(text)
    if let knownRevision = known.bindingRevision, !allowsAnyRevision {
      guard document.revision >= knownRevision else {
        throw .replayed(revision: document.revision, known: knownRevision)
      }
    }
    if known.bindingRevision == document.revision, let knownText = known.text {
      if Self.areEqual(text.bytes, knownText.bytes) { return .known(text) }
      guard allowsAnyRevision else { throw .conflict(revision: document.revision) }
    }
    return .new(VerifiedRollout(RolloutSnapshot(document, at: time), text: text, source: .fresh))
  }

  /// Checks and reads the document of an earlier launch.
  func snapshot(
    of text: VerifiedRollout.Text, at time: Int64?
  ) throws(RemoteConfigFetcher.Failure) -> RolloutSnapshot {
    try check(text)
    return RolloutSnapshot(try read(text), at: time)
  }

  /// Checks the size and the signature before parsing.
  private func check(_ text: VerifiedRollout.Text) throws(RemoteConfigFetcher.Failure) {
    guard text.bytes.count <= maximumBytes else { throw .tooLarge(limit: maximumBytes) }
    guard !publicKeys.isEmpty else { return }
    guard let signatureText = text.signature else { throw .unsigned }
    guard let signature = RolloutSignature(base64: signatureText) else { throw .brokenSignature }
    guard let verifier else { throw .noVerifier }
    guard publicKeys.contains(where: { verifier.accepts(signature, of: text.bytes, by: $0) }) else {
      throw .wronglySigned
    }
  }

  private func read(_ text: VerifiedRollout.Text) throws(RemoteConfigFetcher.Failure) -> RolloutDocument {
    let document: RolloutDocument
    do throws(DocumentError) { document = try RolloutDocument(reading: text.bytes) } catch { throw .invalid(error) }
    guard let audience else { return document }
    guard document.audience?.isExactly(audience) == true else {
      throw .otherAudience(document.audience, expected: audience)
    }
    return document
  }

  /// Whether two documents are equal except for white space and the order of keys.
  static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    if left == right { return true }
    let reader = JSONReader()
    guard let left = try? reader.value(left), let right = try? reader.value(right) else { return false }
    return left == right
  }
}

/// How an app with one document treats another, by their revisions.
package enum RevisionStep: Sendable, Hashable {
  /// The revision rises: the document is accepted.
  case rises
  /// The revision stays, and the documents differ only in white space and the order of keys: nothing changes.
  case saysTheSame
  /// The revision stays, and the content differs: the document is refused.
  case conflicts
  /// The revision falls: the document is refused.
  case falls

  /// Compares two documents and their bytes.
  package init(
    from known: RolloutDocument, _ knownBytes: [UInt8], to document: RolloutDocument, _ bytes: [UInt8]
  ) {
    if document.revision != known.revision {
      self = document.revision > known.revision ? .rises : .falls
    } else {
      self = RolloutValidator.areEqual(bytes, knownBytes) ? .saysTheSame : .conflicts
    }
  }
}
