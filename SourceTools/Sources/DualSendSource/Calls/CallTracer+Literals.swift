import SwiftSyntax

/// What a call says itself, and by what it goes through.
extension CallTracer {
  /// A call with its event, as far as that can be written where the call stands.
  func literal(
    _ call: FunctionCallExprSyntax, _ wrappers: Set<Wrapper>, _ context: EvaluationContext, _ path: Path
  ) -> LiteralCall {
    let start = call.positionAfterSkippingLeadingTrivia.utf8Offset
    let (event, obstacle) = event(of: call, wrappers, context, path)
    return LiteralCall(
      file: context.file, placeOffset: call.placeOffset,
      range: start..<call.endPositionBeforeTrailingTrivia.utf8Offset, indentation: call.lineIndentation,
      hasComments: call.hasInnerComments, event: event, obstacle: obstacle)
  }

  private func event(
    of call: FunctionCallExprSyntax, _ wrappers: Set<Wrapper>, _ context: EvaluationContext, _ path: Path
  ) -> (LiteralCall.Event?, obstacle: String) {
    if let obstacle = call.surroundingObstacle { return (nil, obstacle) }
    let meant = functions.filter { $0.name == call.calledName }
    if wrappers.isEmpty, !meant.isEmpty, meant.allSatisfy(\.staysAfterMigration) {
      return (nil, LiteralCall.stays)
    }
    let unfolder = Unfolder(self, call, context, path)
    do throws(NotWritten) {
      let found = try unfolder.event(of: call, wrappers, unfolder.site)
      let event = LiteralCall.Event(
        name: found.name, writtenName: found.written, payloads: found.payloads, uses: unfolder.allUses(of: call),
        passages: unfolder.passages, constants: try unfolder.constants(), spare: unfolder.spare)
      return (event, "")
    } catch {
      return (nil, error.reason)
    }
  }
}
