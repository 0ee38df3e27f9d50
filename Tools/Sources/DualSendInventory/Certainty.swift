/// How much of what a call site can send is known.
public enum Certainty: String, Sendable, Hashable, CaseIterable {
  /// Every name and every key at every depth that the call can send is listed, and as far as constants say none that it
  /// cannot send.
  case exact
  /// Names or keys are listed, and something is open; ``CallSite/open`` says what and why.
  case partial
  /// No name could be found; ``CallSite/open`` says why.
  case dynamic
}
