/// Why an accepted event was dropped. The raw value is stored in the ledger and keeps its meaning across versions.
public enum DropReason: String, Sendable, Hashable, CaseIterable, Comparable {
  /// The in-memory inbox was full. The newest event is dropped.
  case inboxFull
  /// The event was logged after ``Tracker/shutdown(timeout:)``.
  case shutDown
  /// The event's wire form is longer than the limit.
  case tooLarge
  /// A mutation dropped it.
  case redacted
  /// The store failed for so long that the memory for pending events was full.
  case storeUnavailable
  /// There were more pending events than the quota allows. The oldest are dropped.
  case quotaCount
  /// The pending events were larger than the quota allows. The oldest are dropped.
  case quotaBytes
  /// The event waited longer than the quota allows.
  case quotaAge
  /// Consent was denied.
  case consentDenied
  /// ``Tracker/purge()`` was called.
  case purged
  /// The event's scope excludes a tracker that stands alone.
  case outOfScope
  /// A sink without a store threw.
  case sinkFailed
  /// A later version counted it for a reason that this version does not know.
  case other

  /// Orders by name.
  public static func < (left: DropReason, right: DropReason) -> Bool {
    left.rawValue < right.rawValue
  }
}
