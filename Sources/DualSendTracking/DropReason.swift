/// Why an accepted event was given up. The raw value is what the ledger stores; it keeps its meaning across versions.
public enum DropReason: String, Sendable, Hashable, CaseIterable, Comparable {
  /// The in-memory inbox was full when the event came; the newest event goes.
  case inboxFull
  /// The event came after ``Tracker/shutdown(timeout:)``.
  case shutDown
  /// The event's wire form is longer than the limit.
  case tooLarge
  /// A mutation dropped it.
  case redacted
  /// The store could not be written for so long that the memory set aside for waiting events was full.
  case storeUnavailable
  /// More events waited than the quota allows; the oldest goes.
  case quotaCount
  /// The events that waited were larger than the quota allows; the oldest goes.
  case quotaBytes
  /// The event waited longer than the quota allows.
  case quotaAge
  /// Consent was denied.
  case consentDenied
  /// ``Tracker/purge()`` was called.
  case purged
  /// A sink without a store threw.
  case sinkFailed
  /// A later version of this package counted it, for a reason that this version does not know.
  case other

  /// Orders by name.
  public static func < (left: DropReason, right: DropReason) -> Bool {
    left.rawValue < right.rawValue
  }
}
