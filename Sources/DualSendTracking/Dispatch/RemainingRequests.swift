/// The requests of a batch that are still to be sent, in order.
struct RemainingRequests {
  private enum Part {
    case request(PreparedRequest)
    case events([TrackingData])
  }

  /// In reverse order: the next part is the last element.
  private var parts: [Part]

  init(_ requests: some BidirectionalCollection<PreparedRequest>) {
    parts = requests.reversed().map(Part.request)
  }

  /// Puts events in front, to be sent again.
  mutating func resend(_ events: [TrackingData]) {
    parts.append(.events(events))
  }

  /// Splits the events into two halves, and puts both in front.
  mutating func halve(_ events: [TrackingData]) {
    let middle = events.count / 2
    resend(Array(events[middle...]))
    resend(Array(events[..<middle]))
  }

  /// The next request for this client.
  mutating func next(_ client: any BatchClient) -> PreparedRequest? {
    while let part = parts.popLast() {
      switch part {
      case .request(let request) where request.progress === client.progress: return request
      case .request(let request): resend(request.events)
      case .events(let events): parts += client.prepared(events).reversed().map(Part.request)
      }
    }
    return nil
  }
}
