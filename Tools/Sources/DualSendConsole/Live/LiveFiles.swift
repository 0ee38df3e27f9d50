import DualSendCore

/// Which files are in force, and how often they changed.
struct LiveFiles: Sendable, Hashable {
  enum File: String, Sendable, Hashable {
    case document = "rollout"
    case table
  }

  /// The revision of the document in force.
  var revision: Int64?
  /// How often each of them was another one, or could not be read any longer.
  var changes: [File: Int] = [:]

  /// What a page is told of a change.
  func json(of file: File) -> EventValue {
    switch file {
    case .document: ["revision": revision.map { .int($0) } ?? .null]
    case .table: [:]
    }
  }
}
