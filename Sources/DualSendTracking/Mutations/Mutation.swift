public import DualSendCore

/// Renames, changes or drops events, for all sinks or for some.
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
/// Mutations run in order, and of two that set a key the later wins. They see an event as its sink will get it: in a
/// migration after the remapping, under the new keys on the new side. For sinks with a store they run off the caller's
/// thread; for sinks that are called on the caller's thread, there. In a migration the old logger, and a sink that is called
/// like one on the old side, are called as before: only a ``Place/caller`` mutation reaches them, which runs once, on the
/// caller's thread, before everything else, and changes what both sides get. The rollout decides by the name that the call
/// site gave.
///
/// A mutation that throws changes nothing: its changes of that event are undone, the event goes on, and the failure is
/// counted (`mutationFailures` of the front). A front's mutations can change at any time (`changeMutations(_:)`); an event
/// sees those in force when it was logged. A tracker's own mutations (`TrackerConfiguration.mutations`) follow those of its
/// front.
public struct Mutation: Sendable {
  /// Where a mutation runs.
  public enum Place: Sendable, Hashable {
    /// Off the caller's thread where the sink allows, once for each sink.
    case sink
    /// On the caller's thread, once for each event; of a ``DualTypedEvent`` once for each of its two forms.
    case caller
  }

  /// What failures are counted under.
  public let name: String
  /// The sinks whose events it changes. Without effect on a ``Place/caller`` mutation, which runs before there are sinks.
  public let scope: Sink.Scope
  /// Where it runs.
  public let place: Place
  let body: @Sendable (inout Mutation.Event) throws -> Void

  /// Creates a mutation.
  ///
  /// - Parameters:
  ///   - name: what failures are counted under.
  ///   - scope: the sinks whose events it changes.
  ///   - place: where it runs.
  ///   - body: may be called by several threads at once, one for each sink, and should return quickly.
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

  /// Adds the user's identifier, read for each event; nothing while there is none.
  public static func userID(
    key: String = "user_id", for scope: Sink.Scope = .all, _ current: @escaping @Sendable () -> String?
  ) -> Mutation {
    Mutation("userID", for: scope) { event in
      if let id = current() { event.parameters[key] = .string(id) }
    }
  }

  /// Adds the moment of the event in RFC 3339, UTC, to the millisecond.
  public static func timestamp(key: String = "timestamp", for scope: Sink.Scope = .all) -> Mutation {
    Mutation("timestamp", for: scope) { event in
      event.parameters[key] = .string(Timestamp.text(milliseconds: event.time))
    }
  }
}
