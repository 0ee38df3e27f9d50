import DualSendCore

/// The pairs behind one claim.
package struct Evidence: Sendable, Hashable {
  /// Pairs in which there was something to see.
  package var pairs = 0
  /// Those that contradict the claim.
  package var contradicting = 0
  /// Those in which the new key does not have its most frequent value, and those that contradict.
  package var telling = 0

  /// Those in which the new key does not have its most frequent value, and the claim says which it has.
  package var minorityAgreeing = 0
  /// Those in which it has that value, and the claim says that it has another.
  package var minorityContradicting = 0

  package var agreeing: Int { pairs - contradicting }

  /// What a comment in the table says.
  var text: String { "\(pairs.counted("pair")), \(agreeing) agree, \(contradicting) contradict" }
}
