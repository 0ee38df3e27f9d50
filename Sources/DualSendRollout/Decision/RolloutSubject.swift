/// A context made ready for many decisions of one snapshot: its bucket, and the rules whose conditions it fulfils.
///
/// Made by ``RolloutSnapshot/subject(_:)``. Make a new one when the context or the snapshot changes; one that belongs to
/// another snapshot is still decided rightly, only more slowly.
public final class RolloutSubject: Sendable {
  /// What it was made from.
  public let context: DecisionContext
  /// The unit's bucket; `nil` without a unit, and where plain booleans decide.
  public let bucket: RolloutBucket?
  let owner: CompiledRollout?
  /// One bit a rule: whether everything but the event's name fits.
  private let matched: [UInt64]

  init(_ context: DecisionContext, owner: CompiledRollout?) {
    self.context = context
    self.owner = owner
    bucket = owner.flatMap { owner in context.unitID.map { owner.bucketing.bucket(of: $0) } }
    let conditions = owner?.conditions ?? []
    var matched = [UInt64](repeating: 0, count: (conditions.count + 63) / 64)
    for (index, conditions) in conditions.enumerated() where conditions.hold(for: context) {
      matched[index / 64] |= 1 << (index % 64)
    }
    self.matched = matched
  }

  /// Whether it was made by this snapshot, so that it need not be made again.
  public func belongs(to snapshot: RolloutSnapshot) -> Bool {
    owner === snapshot.compiled
  }

  @inline(__always)
  func matches(rule index: Int) -> Bool {
    matched[index >> 6] >> (index & 63) & 1 == 1
  }
}
