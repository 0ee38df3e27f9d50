public import DualSendCore
public import DualSendRollout

extension RolloutPlan {
  /// Compares two documents, each with its schedules evaluated at a time.
  ///
  /// - Parameters:
  ///   - before: the document in force.
  ///   - timeBefore: the time for its schedules, in milliseconds since 1970-01-01T00:00:00Z.
  ///   - after: the new document.
  ///   - timeAfter: the time for its schedules.
  /// - Throws: ``DocumentError`` if the rules of both distinguish too many cases.
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

  /// Compares two documents now, and then the second one before and after each step of its schedules.
  ///
  /// - Parameters:
  ///   - before: the document in force.
  ///   - after: the new document.
  ///   - now: milliseconds since 1970-01-01T00:00:00Z; `nil` for before every schedule.
  /// - Returns: the plan for the new document, then one plan for each later step.
  /// - Throws: ``DocumentError`` if the rules distinguish too many cases.
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
