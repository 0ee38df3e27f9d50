package import DualSendCore

/// The way of an event from a front to its sinks: caller's mutations, stores, and sinks on the caller's thread.
///
/// Immutable. A front replaces it as a whole when its mutations change, so that an event sees those in force when it was
/// logged.
package final class SinkPipeline: Sendable {
  /// A sink and what an event takes on its way to it. `nil` stands for a transform that changes nothing.
  private struct Entry: Sendable {
    let place: SinkPlace
    /// For an event in its original form …
    let transform: (any EventTransform)?
    /// … for one that brings the form that the sink gets …
    let transformOfOwnForm: (any EventTransform)?
    /// … and for one whose pair is observed.
    let observing: (any EventTransform)?
    let observingOwnForm: (any EventTransform)?
    /// The sinks with one number store the same bytes of an event; `nil` where no other sink does.
    var sharing: Int?

    func transform(of call: EventCall, isObserved: Bool) -> (any EventTransform)? {
      let isOwnForm = call.brings(place.form)
      if isObserved { return isOwnForm ? observingOwnForm : observing }
      return isOwnForm ? transformOfOwnForm : transform
    }
  }

  private let stored: [Entry]
  private let direct: [Entry]
  /// How many groups of sinks store the same bytes.
  private let sharingGroups: Int
  private let callerMutations: MutationChain

  /// Whether there is more than one sink with a store: an event then needs an id and ``prepare(_:id:time:)`` first.
  package let needsPreparation: Bool
  /// Whether mutations run on the caller's thread.
  package var mutatesOnCaller: Bool { !callerMutations.isEmpty }
  /// Whether sinks are called on the caller's thread.
  package var callsDirectly: Bool { !direct.isEmpty }

  init(_ places: [SinkPlace], mutations: [Mutation], failures: MutationFailures) {
    var stored: [Entry] = []
    var direct: [Entry] = []
    for place in places {
      let own = mutations.filter { $0.place == .sink && $0.scope.includes(place.sink.id) }
      let entry = Self.entry(for: place, MutationChain(own, failures: failures))
      if place.sink.tracker == nil { direct.append(entry) } else { stored.append(entry) }
    }
    sharingGroups = Self.groupAlike(&stored)
    self.stored = stored
    self.direct = direct
    callerMutations = MutationChain(mutations.filter { $0.place == .caller }, failures: failures)
    needsPreparation = places.count > 1 || !direct.isEmpty || !callerMutations.isEmpty
  }

  private static func entry(for place: SinkPlace, _ mutations: MutationChain) -> Entry {
    func transform(_ renaming: (any EventTransform)?, _ observer: EventPairObserver?) -> (any EventTransform)? {
      if mutations.isEmpty, observer == nil { return renaming }
      return SinkTransform(place.sink.id, renaming: renaming, observer: observer, mutations: mutations)
    }
    return Entry(
      place: place, transform: transform(place.renaming, nil), transformOfOwnForm: transform(nil, nil),
      observing: transform(place.renaming, place.observer), observingOwnForm: transform(nil, place.observer))
  }

  /// Numbers the entries that store the same bytes, and returns how many numbers there are.
  private static func groupAlike(_ entries: inout [Entry]) -> Int {
    var groups = 0
    for index in entries.indices where entries[index].sharing == nil {
      let alike = entries.indices.filter { other in
        entries[other].place.form == entries[index].place.form && entries[other].transform === entries[index].transform
          && entries[other].transformOfOwnForm == nil && entries[index].transformOfOwnForm == nil
      }
      guard alike.count > 1 else { continue }
      for other in alike { entries[other].sharing = groups }
      groups += 1
    }
    return groups
  }
}

extension SinkPipeline {
  /// Makes an event ready for several sinks: converts it once, and applies the mutations of the caller's thread.
  ///
  /// - Returns: whether the event goes on; if not, every sink has counted it as dropped.
  package func prepare(_ call: inout EventCall, id: EventID, time: Int64) -> Bool {
    call.convert()
    if callerMutations.isEmpty || call.mutate(by: callerMutations, id: id, time: time) { return true }
    for entry in stored + direct { entry.place.sink.countDropped(.redacted) }
    return false
  }

  /// Hands an event to the trackers of the sinks with a store, in memory.
  ///
  /// - Parameters:
  ///   - id: what all sinks know the event by; `nil` lets a tracker make one.
  ///   - isObserved: whether the pair of its two forms is shown to the observers.
  ///   - includes: whether a sink gets the event.
  package func handOver(
    _ call: EventCall, id: EventID?, time: Int64, isObserved: Bool, where includes: (SinkPlace) -> Bool
  ) {
    var encodings: [SharedEncoding?] = sharingGroups == 0 ? [] : Array(repeating: nil, count: sharingGroups)
    for entry in stored where includes(entry.place) {
      let observes = isObserved && entry.place.observer != nil
      var shared: SharedEncoding?
      if let group = entry.sharing, !observes {
        shared = encodings[group] ?? SharedEncoding()
        encodings[group] = shared
      }
      let content = call.content(in: entry.place.form)
      entry.place.tracker?.capture(
        CapturedEvent(
          time: time, name: content.name, payload: content.payload, id: id,
          transform: entry.transform(of: call, isObserved: observes), source: call.event,
          isUrgent: call.delivery == .immediately, shared: shared))
    }
  }

  /// Calls the sinks without a store, on this thread.
  ///
  /// - Parameter plain: makes the parameters for a sink that is called as the old logger is.
  package func callDirectly(
    _ call: EventCall, id: EventID, time: Int64, plain: () -> [String: Any], where includes: (SinkPlace) -> Bool
  ) {
    for entry in direct where includes(entry.place) {
      let sink = entry.place.sink
      if entry.place.form == .original, case .plain(let log) = sink.outlet {
        log(call.name, plain())
        continue
      }
      let content = call.content(in: entry.place.form)
      var event: TrackingEvent? = TrackingEvent(
        id: id, time: time, name: content.name, payload: content.payload.converted.values)
      if let transform = entry.transform(of: call, isObserved: false) {
        event = event.flatMap { transform.transformed($0, source: call.event) }
      }
      if let event { sink.receiveDirectly(event) } else { sink.countDropped(.redacted) }
    }
  }
}
