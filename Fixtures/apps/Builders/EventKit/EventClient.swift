/// Sends events.
public final class EventClient {
  /// The app's client.
  public static let shared = EventClient()

  private init() {}

  /// Sends an event.
  public func submit(_ event: Event) {
    Output.write(name: event.name, parameters: event.parameters)
  }

  /// Sends an event of this name.
  public func submit(name: String, parameters: [String: Any]? = nil) {
    submit(Event(name: name, parameters: parameters))
  }
}
