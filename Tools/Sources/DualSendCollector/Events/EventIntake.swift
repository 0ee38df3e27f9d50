import DualSendCore
import DualSendJSONLines

/// Takes batches, keeps each event once, and asks the fault script how to answer.
actor EventIntake {
  private let configuration: CollectorConfiguration
  private var script: FaultScript
  private var output: JSONLinesFile?
  private var deliveries: [EventID: Int] = [:]
  private(set) var totals = CollectorTotals()
  private(set) var events: [TrackingEvent] = []

  init(_ configuration: CollectorConfiguration) {
    self.configuration = configuration
    script = FaultScript(configuration.faults, seed: configuration.seed)
  }

  var receivedIDs: Set<EventID> {
    Set(deliveries.keys)
  }

  func deliveries(of id: EventID) -> Int {
    deliveries[id] ?? 0
  }

  func setFaults(_ faults: [CollectorFault]) {
    script = FaultScript(faults, seed: configuration.seed)
  }

  /// Opens the output file and takes the ids that it holds as received.
  func openOutput() throws {
    guard output == nil, let file = configuration.output else { return }
    output = try JSONLinesFile(appendingTo: file)
    for line in try LineReader(file) {
      guard let value = try? JSONReader().value(line.bytes), let event = TrackingEvent(wireElement: value) else {
        continue
      }
      if deliveries[event.id] == nil { deliveries[event.id] = 1 }
    }
  }

  func closeOutput() throws {
    try output?.close()
    output = nil
  }

  /// Answers one POST.
  func answer(body: [UInt8], encoding: String?) -> Answer {
    totals.requests += 1
    totals.bytes += body.count
    let decoded: [UInt8]
    do throws(EventBatch.Unreadable) {
      decoded = try EventBatch.decoded(body, encoding: encoding, limit: configuration.maximumBodyBytes)
    } catch {
      return struck(byteCount: body.count) ?? refuse(error)
    }
    if !configuration.readsPayloads, output == nil, !script.readsEvents, let ids = EventIDScanner.ids(in: decoded) {
      return answer(byteCount: body.count, ids: ids)
    }
    do throws(EventBatch.Unreadable) {
      let batch = try EventBatch(json: decoded, limit: configuration.maximumBodyBytes)
      return answer(byteCount: body.count, batch)
    } catch {
      return struck(byteCount: body.count) ?? refuse(error)
    }
  }

  private func answer(byteCount: Int, ids: [EventID]) -> Answer {
    let fault = strike(FaultScript.Request(byteCount: byteCount, events: []))
    if let refusal = fault.flatMap(refusal) { return refusal }
    let accepted = ids.count { countDelivery($0) }
    return delivered(.json(200, ["accepted": .int(Int64(accepted))]), by: fault)
  }

  private func answer(byteCount: Int, _ batch: EventBatch) -> Answer {
    let fault = strike(FaultScript.Request(byteCount: byteCount, events: batch.events))
    if let refusal = fault.flatMap(refusal) { return refusal }
    totals.malformed += batch.malformed
    var taken: [EventID] = []
    var new: [EventID: TrackingEvent] = [:]
    var rejected: [EventValue] = []
    for event in batch.events {
      if case .reject(let selector)? = fault?.effect, selector.selects(event) {
        rejected.append(["eventId": .string(event.id.description), "reason": "the collector was told to reject it"])
      } else {
        taken.append(event.id)
        if deliveries[event.id] == nil { new[event.id] = new[event.id] ?? event }
      }
    }
    // An id counts as received only once its event is safe: the client will send again what was not.
    do { try keep(taken.compactMap { new.removeValue(forKey: $0) }) } catch {
      return .json(507, ["error": "the output file cannot be written"])
    }
    totals.rejected += rejected.count
    let accepted = taken.count { countDelivery($0) }
    var members: [String: EventValue] = ["accepted": .int(Int64(accepted))]
    if !rejected.isEmpty { members["rejected"] = .array(rejected) }
    return delivered(.json(200, members), by: fault)
  }

  /// Whether it is the first delivery of this id.
  private func countDelivery(_ id: EventID) -> Bool {
    let count = deliveries[id, default: 0] + 1
    deliveries[id] = count
    if count == 1 { totals.accepted += 1 } else { totals.duplicates += 1 }
    return count == 1
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

  /// The answer of a fault that stores nothing, for a body that holds no events to store.
  private func struck(byteCount: Int) -> Answer? {
    strike(FaultScript.Request(byteCount: byteCount, events: [])).flatMap(refusal)
  }

  private func refusal(by fault: CollectorFault) -> Answer? {
    let now = TimeSource.system.wallMilliseconds()
    return switch fault.effect {
    case .status(let status), .poison(_, let status): .refusal(status, by: fault, wallMilliseconds: now)
    case .limit: .refusal(413, by: fault, wallMilliseconds: now)
    case .drop: Answer(status: 503).delivered(by: .drop)
    case .reject, .delay, .lose, .cut, .drip: nil
    }
  }

  private func delivered(_ answer: Answer, by fault: CollectorFault?) -> Answer {
    fault.map { answer.delivered(by: $0.effect) } ?? answer
  }

  private func refuse(_ reason: EventBatch.Unreadable) -> Answer {
    totals.malformed += 1
    let status =
      switch reason {
      case .unknownEncoding: 415
      case .tooLarge: 413
      case .notCompressedAsSaid, .notJSON, .notAnArray: 400
      }
    return .json(status, ["error": .string(reason.description)])
  }
}
