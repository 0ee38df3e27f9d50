public import DualSendCore
public import DualSendTracking

/// A logger that keeps what call sites log, for tests of an app's own code.
///
/// ```swift
/// let logger = RecordingEventLogger()
/// CheckoutScreen(logger: logger).pay()
/// #expect(logger.entries.map(\.name) == ["checkout.pay"])
/// ```
public final class RecordingEventLogger: EventLogging {
  /// One event as its call site logged it.
  public struct Entry: Sendable, Hashable {
    /// The name.
    public let name: String
    /// The parameters; what JSON cannot hold is missing.
    public let parameters: [String: EventValue]
    /// The sinks that may have it.
    public let scope: Sink.Scope
    /// When it leaves.
    public let delivery: EventCall.Delivery

    /// Creates an entry, to compare with.
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

  /// Creates an empty record.
  public init() {}

  /// Keeps an event.
  public func log(_ call: EventCall) {
    let entry = Entry(name: call.name, parameters: call.parameters, scope: call.scope, delivery: call.delivery)
    recorded.withLock { $0.append(entry) }
    if let event = call.event { typed.withLock { $0.append(event) } }
  }

  /// Everything so far, in order.
  public var entries: [Entry] { recorded.current }

  /// The typed events so far, in order.
  public var events: [any TypedEvent] { typed.current }
}
