/// What an app that has one document does with another, as far as their revisions decide.
public enum RevisionStep: Sendable, Hashable {
  /// The revision rises: the document is taken.
  case rises
  /// The revision stays, and the documents differ in nothing but white space and the order of keys: nothing changes.
  case saysTheSame
  /// The revision stays, and the documents differ: refused.
  case conflicts
  /// The revision falls: refused.
  case falls

  /// Compares two documents that were read from these bytes.
  public init(
    from known: RolloutDocument, _ knownBytes: [UInt8], to document: RolloutDocument, _ bytes: [UInt8]
  ) {
    if document.revision != known.revision {
      self = document.revision > known.revision ? .rises : .falls
    } else {
      self = RolloutValidator.areEqual(bytes, knownBytes) ? .saysTheSame : .conflicts
    }
  }
}
