import DualSendSource

/// An expression of a new payload, and what of the old call it evaluates.
struct RewrittenValue {
  let text: String
  var uses: [WrittenExpression.Use] = []
}

/// Whether a new call evaluates what the old one did.
struct EvaluationOrder {
  /// What the old call evaluates, in order.
  let before: [WrittenExpression.Use]

  /// - Throws: if a call would be made at another moment, more than once, or not at all.
  func check(_ after: [WrittenExpression.Use]) throws(NotRewritten) {
    let calls = before.filter(\.isCall).map(\.order)
    guard !calls.isEmpty || after.contains(where: \.isCall) else { return }
    guard after.filter(\.isCall).allSatisfy(\.isCertain), after.filter(\.isCall).map(\.order) == calls,
      zip(after, after.dropFirst()).allSatisfy({ $0.order <= $1.order })
    else { throw NotRewritten("a call among its values would be made at another moment, or not once") }
  }
}
