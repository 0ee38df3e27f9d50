import DualSendCommandLine
import DualSendCore

/// Receives batches, stores each event once, and applies faults.
actor EventIntake {
  private let configuration: CollectorConfiguration
  private let server: any VendorServer
  private var script: FaultScript
  private var output: JSONLinesFile?
  private var deliveries: [EventID: Delivery] = [:]
  private(set) var totals = CollectorTotals()
  private(set) var events: [TrackingEvent] = []

  init(_ configuration: CollectorConfiguration) {
    self.configuration = configuration
    server = configuration.format.server
    script = FaultScript(configuration.faults, seed: configuration.seed)
  }

  var receivedIDs: Set<EventID> {
    Set(deliveries.keys)
  }

  func deliveries(of id: EventID) -> Int {
    deliveries[id]?.count ?? 0
  }

  func setFaults(_ faults: [CollectorFault]) {
    script = FaultScript(faults, seed: configuration.seed)
  }

  /// Opens the output file, and counts the ids in it as received.
  func openOutput() throws {
    guard output == nil, let file = configuration.output else { return }
    output = try JSONLinesFile(appendingTo: file)
    for line in try LineReader(file) {
      guard let value = try? JSONReader().value(line.bytes), let event = TrackingEvent(wireElement: value) else {
        continue
      }
      if deliveries[event.id] == nil { deliveries[event.id] = Delivery(count: 1, content: event.content) }
    }
  }

  func closeOutput() throws {
    try output?.close()
    output = nil
  }

  /// Responds to a POST.
  ///
  /// - Parameter body: `nil` if it exceeded the limit.
  func answer(body: [UInt8]?, _ head: RequestHead) -> Answer {
    totals.requests += 1
    totals.bytes += body?.count ?? 0
    let limit = configuration.maximumBodyBytes
    do throws(RequestFault) {
      guard let body else { throw RequestFault("the body", "is longer than \(limit) bytes", status: 413) }
      let decoded = try EventBatch.decoded(body, encoding: head.contentEncoding, limit: limit)
      if configuration.format == .dualsend, !configuration.readsPayloads, output == nil, !script.readsEvents,
        let ids = EventIDScanner.ids(in: decoded)
      {
        return answer(byteCount: body.count, ids: ids)
      }
      return answer(byteCount: body.count, try EventBatch(decoded, head, format: configuration.format, limit: limit))
    } catch {
      let fault = strike(FaultScript.Request(byteCount: body?.count ?? limit, events: []))
      if let refusal = fault.flatMap({ refusal(by: $0, events: 0) }) { return refusal }
      totals.malformed += 1
      return .json(error.status, server.refusal(error.status, [error], events: 0))
    }
  }

  private func answer(byteCount: Int, ids: [EventID]) -> Answer {
    let fault = strike(FaultScript.Request(byteCount: byteCount, events: []))
    if let refusal = fault.flatMap({ refusal(by: $0, events: ids.count) }) { return refusal }
    let accepted = ids.count { countDelivery($0, content: nil) }
    let taken = TakenBatch(taken: ids.count, accepted: accepted, byteCount: byteCount)
    return delivered(server.success(taken), by: fault)
  }

  private func answer(byteCount: Int, _ batch: EventBatch) -> Answer {
    let fault = strike(FaultScript.Request(byteCount: byteCount, events: batch.events))
    let count = batch.events.count + batch.malformed
    if let refusal = fault.flatMap({ refusal(by: $0, events: count) }) { return refusal }
    totals.malformed += batch.malformed
    var taken: [TrackingEvent] = []
    var new: [EventID: TrackingEvent] = [:]
    var rejected: [(id: EventID, fault: RequestFault)] = []
    for (index, event) in batch.events.enumerated() {
      if case .reject(let selector)? = fault?.effect, selector.selects(event) {
        let fault = RequestFault(batch.places[index], "rejected by a configured fault")
        rejected.append((event.id, fault.of(index, at: batch.places[index])))
      } else {
        taken.append(event)
        if deliveries[event.id] == nil { new[event.id] = new[event.id] ?? event }
      }
    }
    totals.rejected += rejected.count
    if !server.acceptsPartialBatches, let first = batch.faults.first ?? rejected.first?.fault {
      let faults = batch.faults.isEmpty ? rejected.map(\.fault) : batch.faults
      return delivered(.json(first.status, server.refusal(first.status, faults, events: count)), by: fault)
    }
    // Counts an id as received only after its event is stored, because the client sends the others again.
    do { try keep(taken.compactMap { new.removeValue(forKey: $0.id) }) } catch {
      return .json(507, ["error": "the output file cannot be written"])
    }
    var success = TakenBatch(taken: taken.count, byteCount: byteCount, rejected: rejected, malformed: batch.faults)
    for event in taken {
      let content = event.content
      if countDelivery(event.id, content: content) { success.accepted += 1 }
      if let first = deliveries[event.id]?.content, first != content { success.conflicting.append(event.id) }
    }
    totals.conflicting += success.conflicting.count
    let answer = server.success(success)
    return delivered(answer, by: fault)
  }

  /// Counts a delivery, and returns whether it is the first of this id.
  private func countDelivery(_ id: EventID, content: UInt64?) -> Bool {
    guard deliveries[id, default: Delivery(count: 0, content: content)].addOne() == 1 else {
      totals.duplicates += 1
      return false
    }
    totals.accepted += 1
    return true
  }

  private func keep(_ new: [TrackingEvent]) throws {
    if output != nil {
      for event in new {
        var writer = CanonicalJSONWriter(capacity: 512)
        event.writeElement(to: &writer)
        try output?.append(writer.bytes)
      }
      try output?.flush()
    }
    events.append(contentsOf: new.prefix(max(0, configuration.keptEvents - events.count)))
  }

  private func strike(_ request: FaultScript.Request) -> CollectorFault? {
    let fault = script.strike(request)
    if fault != nil { totals.faults += 1 }
    return fault
  }

  /// The response for a fault that stores nothing.
  private func refusal(by fault: CollectorFault, events: Int) -> Answer? {
    let status: Int
    switch fault.effect {
    case .status(let given), .poison(_, let given): status = given
    case .limit: status = 413
    case .drop: return Answer(status: 503).delivered(by: .drop)
    case .reject, .delay, .lose, .cut, .drip: return nil
    }
    let body = server.refusal(status, [], events: events)
    return .refusal(status, body, by: fault, wallMilliseconds: TimeSource.system.wallMilliseconds())
  }

  private func delivered(_ answer: Answer, by fault: CollectorFault?) -> Answer {
    fault.map { answer.delivered(by: $0.effect) } ?? answer
  }
}

// MARK: - Delivery

/// How often an event was delivered.
private struct Delivery {
  var count: Int
  /// What the first delivery had, by its hash; `nil` if only its id was read.
  let content: UInt64?

  mutating func addOne() -> Int {
    count += 1
    return count
  }
}

extension TrackingEvent {
  /// A hash of all that a repeat of the event has too.
  fileprivate var content: UInt64 {
    var writer = CanonicalJSONWriter(capacity: 512)
    writeElement(to: &writer)
    return FNV1a.hash(writer.bytes)
  }
}
