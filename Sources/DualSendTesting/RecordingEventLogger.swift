public import DualSendCore
public import DualSendTracking

/// A logger that records events, for tests of an app's code.
///
/// ```swift
/// let logger = RecordingEventLogger()
/// CheckoutScreen(logger: logger).pay()
/// #expect(logger.entries.map(\.name) == ["checkout.pay"])
/// ```
public final class RecordingEventLogger: EventLogging {
  /// One recorded event.
  public struct Entry: Sendable, Hashable {
    /// The name.
    public let name: String
    /// The parameters, without values that JSON cannot hold.
    public let parameters: [String: EventValue]
    /// The sinks that may receive it.
    public let scope: Sink.Scope
    /// When to deliver it.
    public let delivery: EventCall.Delivery

    /// Creates an entry for comparison.
    public init(
      name: String, parameters: [String: EventValue] = [:], scope: Sink.Scope = .all,
      delivery: EventCall.Delivery = .buffered
    ) {
      self.name = name
      self.parameters = parameters
      self.scope = scope
      self.delivery = delivery
    }
  }

  private let recorded = Locked<[Entry]>([])
  private let typed = Locked<[any TypedEvent]>([])

  /// Creates a logger without entries.
  public init() {}

  /// Records an event.
  public func log(_ call: EventCall) {
    let entry = Entry(name: call.name, parameters: call.parameters, scope: call.scope, delivery: call.delivery)
    recorded.withLock { $0.append(entry) }
    if let event = call.event { typed.withLock { $0.append(event) } }
  }

  /// The recorded events, in order.
  public var entries: [Entry] { recorded.current }

  /// The recorded typed events, in order.
  public var events: [any TypedEvent] { typed.current }
}
