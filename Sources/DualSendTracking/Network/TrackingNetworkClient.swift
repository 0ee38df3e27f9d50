import DualSendCore

/// Sends batches to the collector and says what each answer means.
struct TrackingNetworkClient: BatchClient {
  /// On event batches zlib's level 4 takes half the time of its default, 6, for a body an eighth longer.
  private static let compressionLevel: Int32 = 4

  let endpoint: TrackingEndpoint
  let transport: any HTTPTransport
  let time: TimeSource
  let progress = RequestProgress()

  func prepared(_ batch: [TrackingData]) -> PreparedBatch {
    let request = request(for: batch)
    return { await send(request) }
  }

  /// Posts one batch.
  private func send(_ request: HTTPTransportRequest) async -> TrackingAnswer {
    progress.reached(.underWay)
    do {
      let response = try await transport.send(request)
      progress.ended(answered: true)
      return TrackingAnswer(
        response, wallMilliseconds: time.wallMilliseconds(), requiresJSON: endpoint.requiresJSONAcknowledgement)
    } catch {
      progress.ended(answered: false)
      return TrackingAnswer(error)
    }
  }

  func request(for batch: [TrackingData]) -> HTTPTransportRequest {
    var headers = endpoint.headers
    headers["Content-Type"] = "application/json"
    headers["Idempotency-Key"] = Self.idempotencyKey(batch.map(\.id))
    var body = Self.join(batch)
    if body.count > endpoint.compressionThreshold, let format = endpoint.compression.format,
      let compressed = Zlib.compress(body, as: format, level: Self.compressionLevel), compressed.count < body.count
    {
      body = compressed
      headers["Content-Encoding"] = format.rawValue
    }
    var request = HTTPTransportRequest(
      method: "POST", url: endpoint.url, headers: headers, body: body, timeout: endpoint.timeout)
    request.progress = progress
    return request
  }

  private static func join(_ batch: [TrackingData]) -> [UInt8] {
    var body: [UInt8] = []
    body.reserveCapacity(batch.reduce(1) { $0 + $1.body.count + 1 })
    body.append(UInt8(ascii: "["))
    for (index, event) in batch.enumerated() {
      if index > 0 { body.append(UInt8(ascii: ",")) }
      body.append(contentsOf: event.body)
    }
    body.append(UInt8(ascii: "]"))
    return body
  }

  /// The same ids in the same order always give the same key, so that a batch sent again can be told.
  ///
  /// Two FNV-1a hashes of 64 bits with different starts (Fowler, Noll, Vo); the key identifies a batch and is no
  /// protection against forgery.
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
  var format: Zlib.Format? {
    switch self {
    case .deflate: .deflate
    case .gzip: .gzip
    case .none: nil
    }
  }
}
