import DualSendCore

/// Sends batches to a collector.
struct TrackingNetworkClient: BatchClient {
  let endpoint: TrackingEndpoint
  let transport: any HTTPTransport
  let time: TimeSource
  /// Whether the collector has refused a compressed body (415).
  private let refusesCompression = Locked(false)

  init(endpoint: TrackingEndpoint, transport: any HTTPTransport, time: TimeSource) {
    self.endpoint = endpoint
    self.transport = transport
    self.time = time
  }

  var recipient: String { "collector" }

  func prepared(_ batch: [TrackingData]) -> [PreparedRequest] {
    if let request = joined(batch) { return [request] }
    return PreparedRequest.of(readable: batch, requests)
  }

  private func requests(_ batch: [TrackingData]) -> [PreparedRequest] {
    var rest = batch[...]
    var requests: [PreparedRequest] = []
    while let first = rest.first {
      var wire = endpoint.format.request(for: rest, sentAt: time.wallMilliseconds())
      if wire.eventCount < 1 { wire.refused[first.id] = "the format makes no request of it" }
      let part = Array(rest.prefix(max(1, wire.eventCount)))
      rest = rest.dropFirst(part.count)
      let refused = wire.refused
      let sent = refused.isEmpty ? part : part.filter { refused[$0.id] == nil }
      guard !sent.isEmpty else {
        requests.append(PreparedRequest(events: part, refused: refused, send: nil))
        continue
      }
      let request = request(wire, for: sent)
      requests.append(
        PreparedRequest(events: part, refused: refused) { await send(request, sent) })
    }
    return requests
  }

  /// The request of a batch in this package's own format, from runs as they are stored; `nil` if that does not pay.
  private func joined(_ batch: [TrackingData]) -> PreparedRequest? {
    let wire = WireRequest(headers: WireRequest.jsonHeaders, body: [], eventCount: batch.count)
    guard endpoint.format is TrackingEndpoint.DualSendFormat, !refusesCompression.current,
      let format = endpoint.compression.format(for: wire.encodings),
      let body = JoinedRuns.body(of: batch, as: format, longerThan: endpoint.compressionThreshold)
    else { return nil }
    let request = request(wire.headers, body, encoding: format, for: batch)
    return PreparedRequest(events: batch, refused: [:]) { await send(request, batch) }
  }

  /// How much later than the request's timeout a transport must have returned.
  private static let grace = Duration.seconds(1)

  /// Posts one batch.
  private func send(_ request: HTTPTransportRequest, _ events: [TrackingData]) async -> WireAnswer {
    do {
      // Also ends the wait for a transport that never returns, in real time as a transport's own timeout, which comes first.
      let response = try await Deadline(request.timeout + Self.grace).run(orThrow: HTTPTransportError.init) {
        [transport] () async throws(HTTPTransportError) in try await transport.send(request)
      }
      if response.status == 415, request.headers["Content-Encoding"] != nil {
        // Sent again without, and every later batch too, until the endpoint changes or the app is launched again.
        refusesCompression.withLock { $0 = true }
        return .retry(.status(415))
      }
      return answer(response, to: events)
    } catch {
      return WireAnswer(error)
    }
  }

  func answer(_ response: HTTPTransportResponse, to events: [TrackingData]) -> WireAnswer {
    let doubt = response.doubt(requiresJSON: endpoint.requiresJSONAcknowledgement)
    let answer = doubt.map { .retry($0) } ?? endpoint.format.answer(response, to: events)
    guard case .retry(let reason, nil) = answer else { return answer.bounded }
    let wait = RetryAfter.delay(in: response, wallMilliseconds: time.wallMilliseconds())
    return WireAnswer.retry(reason, after: wait).bounded
  }

  private func request(_ wire: WireRequest, for events: [TrackingData]) -> HTTPTransportRequest {
    if wire.body.count > endpoint.compressionThreshold, !refusesCompression.current,
      let format = endpoint.compression.format(for: wire.encodings),
      let compressed = Zlib.compress(wire.body, as: format),
      compressed.count < wire.body.count
    {
      return request(wire.headers, compressed, encoding: format, for: events)
    }
    return request(wire.headers, wire.body, encoding: nil, for: events)
  }

  private func request(
    _ fields: [String: String], _ body: [UInt8], encoding: Zlib.Format?, for events: [TrackingData]
  ) -> HTTPTransportRequest {
    var headers = endpoint.headers
    for (name, value) in fields { Self.set(name, value, in: &headers) }
    Self.set("Idempotency-Key", Self.idempotencyKey(events.map(\.id)), in: &headers)
    if let encoding { Self.set("Content-Encoding", encoding.rawValue, in: &headers) }
    var request = HTTPTransportRequest(
      method: "POST", url: endpoint.url, headers: headers, body: body, timeout: endpoint.timeout)
    request.cutsLongResponse = true
    return request
  }

  /// Sets a field, replacing fields whose names differ only in case.
  private static func set(_ name: String, _ value: String, in headers: inout [String: String]) {
    for other in headers.keys where other.lowercased() == name.lowercased() { headers[other] = nil }
    headers[name] = value
  }

  /// A key that identifies the batch: the same ids in the same order always give the same key.
  ///
  /// Two 64-bit FNV-1a hashes (Fowler, Noll, Vo) with different starts; not cryptographic.
  static func idempotencyKey(_ ids: [EventID]) -> String {
    var first: UInt64 = 0xcbf2_9ce4_8422_2325
    var second: UInt64 = 0x8422_2325_cbf2_9ce4
    for id in ids {
      for word in [id.high, id.low] {
        for shift in stride(from: UInt64(0), to: 64, by: 8) {
          first = (first ^ (word >> shift & 0xFF)) &* 0x100_0000_01b3
          second = (second ^ (word >> shift & 0xFF)) &* 0x100_0000_01b3
        }
      }
    }
    return EventID(high: first, low: second).description
  }
}

extension TrackingEndpoint.Compression {
  /// The format for a collector that accepts these; `nil` for none.
  fileprivate func format(for accepted: Set<Self>) -> Zlib.Format? {
    switch accepted.contains(self) || self == .none ? self : .gzip {
    case .deflate: .deflate
    case .gzip: accepted.contains(.gzip) ? .gzip : nil
    case .none: nil
    }
  }
}
