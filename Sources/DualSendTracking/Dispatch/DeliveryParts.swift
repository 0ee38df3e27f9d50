/// What is left to send of a batch, in order.
struct DeliveryParts {
  private enum Part {
    case request(PreparedRequest)
    case events([TrackingData])
  }

  /// The next one stands last.
  private var parts: [Part]

  init(_ requests: some BidirectionalCollection<PreparedRequest>) {
    parts = requests.reversed().map(Part.request)
  }

  /// Sends the events again, before what is left.
  mutating func again(_ events: [TrackingData]) {
    parts.append(.events(events))
  }

  /// Sends both halves, before what is left.
  mutating func halve(_ events: [TrackingData]) {
    let middle = events.count / 2
    again(Array(events[middle...]))
    again(Array(events[..<middle]))
  }

  /// The next request, made ready by this client.
  mutating func next(_ client: any BatchClient) -> PreparedRequest? {
    while let part = parts.popLast() {
      switch part {
      case .request(let request) where request.progress === client.progress: return request
      case .request(let request): again(request.events)
      case .events(let events): parts += client.prepared(events).reversed().map(Part.request)
      }
    }
    return nil
  }
}
