/// A context prepared for many decisions of one snapshot: its bucket, and the rules whose conditions it fulfils.
///
/// Create one with ``RolloutSnapshot/subject(_:)``, and again when the context or the snapshot changes. A subject of another
/// snapshot still gives correct decisions, but more slowly.
public final class RolloutSubject: Sendable {
  /// The context that was prepared.
  public let context: DecisionContext
  /// The unit's bucket; `nil` without a unit, and if plain booleans are in force.
  public let bucket: RolloutBucket?
  let owner: CompiledRollout?
  /// One bit for each rule: whether its conditions besides the event's name hold.
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

  /// Whether this snapshot created the subject.
  public func belongs(to snapshot: RolloutSnapshot) -> Bool {
    owner === snapshot.compiled
  }

  @inline(__always)
  func matches(rule index: Int) -> Bool {
    matched[index >> 6] >> (index & 63) & 1 == 1
  }
}
