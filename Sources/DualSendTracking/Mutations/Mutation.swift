public import DualSendCore

/// Changes, renames or drops events, for all sinks or for some.
///
/// ```swift
/// SinkGroup(
///   [.tracker("collector", tracker), .buffered("amplitude", to: receiver)],
///   mutations: [
///     .parameters(["app": "shop"]),
///     .session(),
///     Mutation("screen", for: .except(["amplitude"])) { event in
///       if let screen = event.original as? ScreenEvent { event.parameters["screen"] = .string(screen.id) }
///     },
///     Mutation("no debug") { event in if event.name.hasPrefix("debug.") { event.drop() } },
///     .redaction(of: ["*email*", "phone"]),
///   ])
/// ```
///
/// Mutations run in order; if two set the same key, the later one wins. They see an event as its sink will get it: in a
/// migration after the remapping, with the new keys on the new side. For sinks with a store they run off the caller's
/// thread, otherwise on it. In a migration, the old logger and sinks that are called like it get their events
/// unchanged. Only ``Place/caller`` mutations affect them: these run once, on the caller's thread, before everything
/// else, and change both sides. The rollout always decides by the call site's name.
///
/// If a mutation throws, its changes of that event are undone, the event continues, and the failure is counted
/// (`mutationFailures` of the front). The mutations can be changed at any time (`changeMutations(_:)`); an event uses
/// those in force when it was logged. A tracker's own mutations (`TrackerConfiguration.mutations`) run after those of
/// its front.
public struct Mutation: Sendable {
  /// Where a mutation runs.
  public enum Place: Sendable, Hashable {
    /// Once for each sink, off the caller's thread if the sink has a store.
    case sink
    /// Once for each event, on the caller's thread.
    case caller
  }

  /// The name under which failures are counted.
  public let name: String
  /// The sinks whose events it changes. Ignored for a ``Place/caller`` mutation.
  public let scope: Sink.Scope
  /// Where it runs.
  public let place: Place
  let body: @Sendable (inout Mutation.Event) throws -> Void

  /// Creates a mutation.
  ///
  /// - Parameters:
  ///   - name: the name under which failures are counted.
  ///   - scope: the sinks whose events it changes.
  ///   - place: where it runs.
  ///   - body: may be called on several threads at once, one for each sink. Must return quickly.
  public init(
    _ name: String, for scope: Sink.Scope = .all, on place: Place = .sink,
    _ body: @escaping @Sendable (inout Mutation.Event) throws -> Void
  ) {
    self.name = name
    self.scope = scope
    self.place = place
    self.body = body
  }
}

extension Mutation {
  /// Adds the same parameters to every event.
  public static func parameters(
    _ parameters: [String: EventValue], for scope: Sink.Scope = .all
  ) -> Mutation {
    Mutation("parameters", for: scope) { event in
      event.parameters.merge(parameters) { _, shared in shared }
    }
  }

  /// Adds the user's identifier, read for each event, if there is one.
  public static func userID(
    key: String = "user_id", for scope: Sink.Scope = .all, _ current: @escaping @Sendable () -> String?
  ) -> Mutation {
    Mutation("userID", for: scope) { event in
      if let id = current() { event.parameters[key] = .string(id) }
    }
  }

  /// Adds the event's time in RFC 3339, in UTC with milliseconds.
  public static func timestamp(key: String = "timestamp", for scope: Sink.Scope = .all) -> Mutation {
    Mutation("timestamp", for: scope) { event in
      event.parameters[key] = .string(Timestamp.text(milliseconds: event.time))
    }
  }
}
