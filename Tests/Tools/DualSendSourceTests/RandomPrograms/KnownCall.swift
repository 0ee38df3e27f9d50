/// A call that logs, and all that it can send: known because the program around it was made to send just that.
struct KnownCall: Hashable, Sendable {
  let file: String
  /// Counted from 1: where the call's first token stands.
  let line: Int
  /// Whether something beyond the sources decides what is sent: nobody may call it exact.
  let isOpen: Bool
  /// Whether a condition that the sources decide is hard to decide: an exact answer may list both branches.
  let isHard: Bool
  /// One for each name: what an exact answer has to say. None of an open call.
  let variants: Set<KnownVariant>
}

/// What a call sends under one name.
struct KnownVariant: Hashable, Sendable {
  let name: String
  /// The key paths of every event of this name, as the rows of a remapping table write them.
  let required: Set<String>
  /// The key paths that only some events of this name have.
  let optional: Set<String>
}

extension KnownVariant {
  /// The events that a call may send, by their names.
  static func merging(_ events: Set<ProgramEvent>) -> Set<KnownVariant> {
    Set(
      Dictionary(grouping: events, by: \.name).map { name, events in
        let all = events.reduce(into: Set<String>()) { $0.formUnion($1.keys) }
        let required = events.reduce(all) { $0.intersection($1.keys) }
        return KnownVariant(name: name, required: required, optional: all.subtracting(required))
      })
  }
}

/// One event as it leaves the program.
struct ProgramEvent: Hashable, Sendable {
  let name: String
  let keys: Set<String>
}
