import DualSendCore
import DualSendRollout
import DualSendTracking

/// The sinks of an adapter besides its old logger, each with the way to it.
struct SinkSet: Sendable {
  /// A sink, its side and its transforms.
  struct Entry: Sendable {
    let sink: Sink
    let side: RolloutSide
    let transforms: SinkTransforms

    /// What an event takes on the way to it.
    func transform(for call: EventCall, isObserved: Bool) -> (any EventTransform)? {
      transforms.transform(bringsNewForm: call.newForm != nil, isObserved: isObserved)
    }
  }

  /// Whether two sinks can store an event alike, so that it pays to look for the encoding of another.
  let mayShare: Bool
  /// Those with a store, the new tracker first …
  let stored: [Entry]
  /// … and those that are called on the caller's thread.
  let direct: [Entry]

  init(
    tracker: Tracker, old: [Sink], new: [Sink], remapping: RemappingTransform, observer: ParitySampling.Observer?,
    mutations: MutationChain
  ) {
    let principal = Sink.tracker(.newTracker, tracker)
    let sided = ([principal] + new).map { ($0, RolloutSide.new) } + old.map { ($0, RolloutSide.old) }
    let entries = sided.map { sink, side in
      Entry(
        sink: sink, side: side,
        transforms: SinkTransforms(
          sink.id, isNewSide: side == .new, remapping: remapping, observer: sink.id == .newTracker ? observer : nil,
          mutations: mutations.narrowed(to: sink.id)))
    }
    stored = entries.filter { $0.sink.tracker != nil }
    direct = entries.filter { $0.sink.tracker == nil }
    // Without mutations of their own, the sinks of a side have one transform between them.
    let alike = stored.filter { mutations.narrowed(to: $0.sink.id).isEmpty }
    mayShare = [RolloutSide.old, .new].contains { side in alike.filter { $0.side == side }.count > 1 }
  }

  /// All of them, the new tracker first.
  var all: [Sink] { (stored + direct).map(\.sink) }
}
