public import DualSendCore

/// What a collector speaks: from stored events to a request, from an answer to what becomes of each event.
///
/// Events are stored in a neutral form; a ``TrackingEndpoint`` applies its format when a batch is made ready. A format
/// can therefore be changed while events wait: see ``Tracker/setEndpoint(_:)``. Sending, compression, back-off, halving,
/// bisection, dead letters and the ledger are the tracker's and work for every format.
///
/// Called off the caller's path, from any thread, several times for the same event.
public protocol WireFormat: Sendable {
  /// Makes a request of as many of the events, from the first on, as the collector takes at once.
  ///
  /// The tracker calls again with the events that are left. ``WireRequest/init(of:limits:headers:encodings:opening:separator:closing:element:)``
  /// serves formats whose body is a list.
  ///
  /// - Parameters:
  ///   - events: at least one event, oldest first.
  ///   - sentAt: the device's clock, in milliseconds since 1970-01-01T00:00:00Z.
  func request(for events: ArraySlice<TrackingData>, sentAt: Int64) -> WireRequest

  /// Reads the collector's answer to a request.
  ///
  /// Web pages, as captive portals send them, never get here. Unless implemented, the status decides: see
  /// ``WireAnswer/init(status:)``.
  ///
  /// - Parameters:
  ///   - response: what came back; its body may be anything.
  ///   - events: the events of the request, in their order, without those that ``WireRequest/refused`` names.
  func answer(_ response: HTTPTransportResponse, to events: [TrackingData]) -> WireAnswer
}

extension WireFormat {
  /// What the status says.
  public func answer(_ response: HTTPTransportResponse, to _: [TrackingData]) -> WireAnswer {
    WireAnswer(status: response.status)
  }
}
