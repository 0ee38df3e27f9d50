/// The pairs behind one claim.
package struct Evidence: Sendable, Hashable {
  /// Pairs in which there was something to see.
  package var pairs = 0
  /// Those that contradict the claim.
  package var contradicting = 0
  /// Those in which the new key does not have its most frequent value, and those that contradict.
  package var telling = 0

  package var agreeing: Int { pairs - contradicting }

  /// What a comment in the table says.
  var text: String { "\(pairs) pairs, \(agreeing) agree, \(contradicting) contradict" }
}
