public import DualSendCore

/// The format of a collector: makes requests of stored events, and reads the result for each event from the response.
///
/// Events are stored in the form of ``TrackingEndpoint/DualSendFormat``, whatever the endpoint's format; see ``TrackingData``.
/// The format is applied when a batch is prepared. It can therefore be changed while events are pending: see
/// ``Tracker/setEndpoint(_:adopting:)``. The tracker does the rest for every format: sending, compression, back-off, halving,
/// bisection, dead letters and the ledger.
///
/// Called on any thread, and several times for the same event.
public protocol WireFormat: Sendable {
  /// The key that the vendor bills by, if it is part of the format. Pending events of one tenant are never sent with the key of
  /// another. By default `nil`.
  var tenant: String? { get }

  /// Makes a request of as many events, from the first on, as the collector accepts at once.
  ///
  /// The tracker calls again for the remaining events. For formats whose body is a list, use
  /// ``WireRequest/init(of:limits:headers:encodings:opening:separator:closing:element:)``.
  ///
  /// - Parameters:
  ///   - events: at least one event, oldest first.
  ///   - sentAt: the device's clock, in milliseconds since 1970-01-01T00:00:00Z.
  func request(for events: ArraySlice<TrackingData>, sentAt: Int64) -> WireRequest

  /// Reads the collector's response.
  ///
  /// Not called for web pages, such as those of captive portals. By default the status decides; see
  /// ``WireAnswer/init(status:)``.
  ///
  /// - Parameters:
  ///   - response: the response. Its body may be anything.
  ///   - events: the events of the request in order, without those in ``WireRequest/refused``.
  func answer(_ response: HTTPTransportResponse, to events: [TrackingData]) -> WireAnswer
}

extension WireFormat {
  /// No tenant.
  public var tenant: String? { nil }

  /// Reads the status only.
  public func answer(_ response: HTTPTransportResponse, to _: [TrackingData]) -> WireAnswer {
    WireAnswer(status: response.status)
  }
}
