public import DualSendCore
public import DualSendRollout

extension RolloutPlan {
  /// Compares two documents, each at a time.
  ///
  /// - Parameters:
  ///   - before: what is in force.
  ///   - timeBefore: the time to read its schedules at, in milliseconds since 1970-01-01T00:00:00Z.
  ///   - after: what shall be.
  ///   - timeAfter: the time to read its schedules at.
  /// - Throws: ``DocumentError`` if the rules of both tell too many cases apart.
  public init(
    from before: RolloutDocument, at timeBefore: Int64? = nil, to after: RolloutDocument, at timeAfter: Int64? = nil
  ) throws(DocumentError) {
    var planner = RolloutPlanner(EvaluatedRollout(before, at: timeBefore), EvaluatedRollout(after, at: timeAfter))
    do {
      self = try planner.plan()
    } catch {
      throw DocumentError([after.tooLargeToProve])
    }
  }

  /// Compares two documents now, and the second one's schedules step by step: each step is a revision of its own.
  ///
  /// - Parameter now: milliseconds since 1970-01-01T00:00:00Z; `nil` for before every schedule.
  /// - Returns: the change of documents first, then one plan for each later step.
  /// - Throws: ``DocumentError`` if the rules tell too many cases apart.
  public static func steps(
    from before: RolloutDocument, to after: RolloutDocument, now: Int64? = nil
  ) throws(DocumentError) -> [RolloutPlan] {
    var plans = [try RolloutPlan(from: before, at: now, to: after, at: now)]
    var last = now
    for time in after.changeTimes where now.map({ time > $0 }) ?? true {
      plans.append(try RolloutPlan(from: after, at: last, to: after, at: time))
      last = time
    }
    return plans
  }
}
