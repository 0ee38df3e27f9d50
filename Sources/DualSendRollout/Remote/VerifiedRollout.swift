import Foundation

/// A rollout that passed every check, and what it was read from.
struct VerifiedRollout: Sendable {
  /// The exact bytes of a document, which signatures and entity tags are about.
  struct Text: Sendable, Hashable {
    var bytes: [UInt8]
    var signature: String?
    /// How the server at this address calls these bytes.
    var entityTag: EntityTag?
  }

  /// A server's name for a document. Two servers may use the same one for different documents.
  struct EntityTag: Sendable, Hashable {
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
  /// What the snapshot was read from; `nil` where booleans or an in-app default decide.
  var text: Text?
  var source: RemoteConfigFetcher.Status.Source

  init(_ snapshot: RolloutSnapshot, text: Text? = nil, source: RemoteConfigFetcher.Status.Source) {
    self.snapshot = snapshot
    self.text = text
    self.source = source
  }

  /// The revision that a newer document must not fall below. An in-app default covers what comes before the first
  /// document, so its revision does not count.
  var bindingRevision: Int64? {
    source == .inAppDefault ? nil : snapshot.revision
  }

  /// The entity tag to send to this address; `nil` if it never named these bytes.
  func entityTag(for url: URL) -> String? {
    text?.entityTag.flatMap { $0 == EntityTag($0.text, at: url) ? $0.text : nil }
  }

  /// Reads the schedules again if a step has come since, or if the clock was corrected.
  ///
  /// - Parameter time: milliseconds since 1970-01-01T00:00:00Z by a trusted clock; `nil` if there is none.
  /// - Returns: whether the snapshot is another one.
  mutating func advance(to time: Int64?) -> Bool {
    // Where nothing is scheduled, no time makes a difference, and the document need not be read.
    guard let time, snapshot.hasSchedules else { return false }
    let isDue = snapshot.nextChange.map { $0 <= time } ?? false
    let wasEarly = snapshot.time.map { $0 > time } ?? false
    guard isDue || wasEarly, let document = snapshot.document else { return false }
    snapshot = RolloutSnapshot(document, at: time)
    return true
  }
}
