import DualSendCommands
import DualSendCore
import DualSendRollout
import DualSendRolloutAnalysis

extension RolloutPage {
  /// How many of the newest publications are compared with the text before them.
  private static let compared = 20

  /// What each of the newest publications changed, in a line, by id. One is missing if a text is not a document, or if the
  /// text before is not known.
  ///
  /// Reads and compares outside of the actor, so that no stop waits for it.
  nonisolated func changes() async throws -> EventValue {
    var documents = DocumentsByHash()
    let published = try record?.read(last: Self.compared + 1).entries ?? []
    for entry in published { documents.add(Array(entry.publication.text.utf8), entry.publication.after.hash) }

    let record = published.compactMap { entry in
      documents.change(from: entry.publication.before?.hash, to: entry.publication.after.hash)
        .map { (entry.id, EventValue.string($0)) }
    }
    return ["record": .object(Dictionary(record) { first, _ in first })]
  }
}

/// Documents, each of which is read once.
private struct DocumentsByHash {
  private var documents: [String: RolloutDocument] = [:]

  mutating func add(_ bytes: [UInt8], _ hash: String) {
    if documents[hash] == nil { documents[hash] = try? RolloutDocument(reading: bytes) }
  }

  /// `nil` if one of the documents is not known.
  func change(from before: String?, to after: String?) -> String? {
    guard let before = before.flatMap({ documents[$0] }), let after = after.flatMap({ documents[$0] }) else {
      return nil
    }
    return RolloutChange(from: before, to: after).description
  }
}
