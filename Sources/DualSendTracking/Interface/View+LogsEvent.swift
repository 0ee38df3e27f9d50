#if canImport(SwiftUI)
  public import SwiftUI

  extension View {
    /// Logs a ``ScreenView`` each time the view appears, not each time it is drawn.
    public func logsScreen(_ screen: String, with logger: any EventLogging) -> some View {
      logsEvent(ScreenView(screen), with: logger)
    }

    /// Logs a ``ScreenView`` to the environment's logger each time the view appears. Without a logger, does nothing.
    public func logsScreen(_ screen: String) -> some View {
      logsEvent(ScreenView(screen))
    }

    /// Logs an event to the environment's logger each time the view appears. Without a logger, does nothing.
    public func logsEvent(_ event: some TypedEvent) -> some View {
      modifier(TrackAppearance(event: event))
    }

    /// Logs an event each time the view appears.
    public func logsEvent(_ event: some TypedEvent, with logger: any EventLogging) -> some View {
      onAppear { logger.log(event) }
    }

    /// Sets the logger of this view and its subviews.
    public func eventLogging(_ logger: (any EventLogging)?) -> some View {
      environment(\.eventLogging, logger)
    }
  }

  extension EnvironmentValues {
    /// The environment's logger; `nil` by default, so that previews need none.
    ///
    /// ```swift
    /// @Environment(\.eventLogging) private var logger
    /// ```
    public var eventLogging: (any EventLogging)? {
      get { self[EventLoggerKey.self] }
      set { self[EventLoggerKey.self] = newValue }
    }
  }

  private struct EventLoggerKey: EnvironmentKey {
    static let defaultValue: (any EventLogging)? = nil
  }

  private struct TrackAppearance<Event: TypedEvent>: ViewModifier {
    @Environment(\.eventLogging) private var logger
    let event: Event

    func body(content: Content) -> some View {
      content.onAppear { logger?.log(event) }
    }
  }
#endif
