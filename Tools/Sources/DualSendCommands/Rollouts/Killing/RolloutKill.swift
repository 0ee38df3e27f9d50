import DualSendCommandLine
package import DualSendCore
package import DualSendRollout
package import DualSendRolloutAnalysis

/// A document after which no unit gets some events on the new side.
package struct RolloutKill: Sendable {
  /// The new text; `nil` if nothing gives these events to the new side.
  package let result: RolloutText?
  /// Who still gets them: named units, if these are kept.
  package let rest: [RolloutLowering.Rest]

  /// - Parameters:
  ///   - events: their patterns; empty for all events.
  ///   - revision: that of the new text.
  /// - Throws: `DocumentError`, or ``CommandError`` if it cannot be proved.
  package init(of live: RolloutText, events: [EventPattern], keepsNamedUnits: Bool = false, revision: Int64) throws {
    let patterns = events.isEmpty ? [EventPattern.prefix("")] : events
    let lowering = RolloutLowering(patterns, to: .none, keepsNamedUnits: keepsNamedUnits)
    guard let text = try lowering.text(of: live.bytes) else {
      (result, rest) = (nil, [])
      return
    }
    let unnumbered = try RolloutText(live: text, name: live.name)
    let new = try RolloutText(try unnumbered.bytes(withRevision: revision), name: live.name)
    rest = try RolloutLowering(patterns, to: .none).rest(in: new.document)
    if let first = rest.first(where: { !keepsNamedUnits || $0.units.isEmpty }) {
      throw CommandError("\(first.place) would still give `\(first.event)` to \(first.share) of units")
    }
    result = new
  }

  /// What is killed, in words.
  package static func words(_ events: [EventPattern]) -> String {
    events.isEmpty ? "any event" : events.map { "`\($0.description.printable())`" }.joined(separator: ", ")
  }
}

extension RolloutLowering.Rest {
  package var json: EventValue {
    ["event": .string(event), "units": .array(units.map { .string($0) }), "place": .string(place)]
  }
}
