public import DualSendCore

/// A logger that sends each event to several sinks, for an app without an old logger.
///
/// ```swift
/// let logger = SinkGroup(
///   [.tracker("collector", Tracker(endpoint: url)), .buffered("archive", to: ArchiveReceiver())],
///   mutations: [.device(), .session()])
/// logger.log(ScreenEvent.viewed(.today))
/// ```
///
/// Each sink gets every event whose scope includes it. Safe to use from any thread.
public final class SinkGroup: SinkContainer {
  private let registry: SinkRegistry
  private let time: TimeSource
  private let generator = Locked(EventIDGenerator())

  /// Creates a group.
  ///
  /// - Parameters:
  ///   - sinks: the sinks, with unique ids.
  ///   - mutations: the mutations, in order.
  ///   - time: the clock that stamps events.
  public convenience init(_ sinks: [Sink], mutations: [Mutation] = [], time: TimeSource = .system) {
    self.init(bindings: sinks.map { SinkBinding($0, form: .new) }, mutations: mutations, time: time)
  }

  package init(bindings: [SinkBinding], mutations: [Mutation], time: TimeSource) {
    registry = SinkRegistry(bindings, mutations: mutations)
    self.time = time
  }

  /// All sinks, in order.
  public var sinks: [Sink] { registry.bindings.map(\.sink) }

  /// Sends an event to every sink in its scope. Returns at once and never throws.
  public func log(_ call: EventCall) {
    let pipeline = registry.pipeline
    let moment = call.time ?? time.wallMilliseconds()
    let id = call.id ?? generator.withLock { EventID(milliseconds: moment, using: &$0) }
    var call = call
    guard pipeline.prepare(&call, id: id, at: moment, for: .all) else { return }
    pipeline.handOver(call, at: moment, isObserved: false, to: .all)
    pipeline.callDirectly(call, at: moment, to: .all) { call.plain }
  }

  /// The current mutations.
  public var mutations: [Mutation] { registry.mutations }

  /// Adds, removes or reorders mutations for events that are logged from now on.
  ///
  /// ```swift
  /// logger.changeMutations { $0.removeAll { $0.name == "session" } }
  /// ```
  public func changeMutations(_ change: (inout [Mutation]) -> Void) {
    registry.changeMutations(change)
  }

  /// How often each mutation threw, by its name; counted for each sink.
  public var mutationFailures: [String: Int] { registry.mutationFailures }
}

// MARK: - Sink front
