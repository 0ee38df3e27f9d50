import DualSendCore

/// The tracker's own format: unreadable events are counted, rejected ones named by id, and the others accepted.
struct DualSendServer: VendorServer {
  let path = CollectorServer.eventsPath
  let mediaTypes: Set<String> = []
  let limits = VendorLimits()
  let acceptsPartialBatches = true
  let hasDecisionInProperties = false

  func event(_ element: RequestValue) throws(RequestFault) -> RecordedEvent {
    RecordedEvent(
      id: try element.optional("eventId")?.text(), time: try element.optional("eventTime")?.integer(),
      name: try element.required("eventName").text(), payload: try element.optional("payload")?.members() ?? [:],
      decision: element.firstText(of: "decision").flatMap { CarriedDecision($0) })
  }

  func checkEvent(_ element: RequestValue, in _: RequestValue) throws(RequestFault) {
    if TrackingEvent(wireElement: element.value) == nil { throw element.fault("is not an event") }
  }

  func success(_ batch: TakenBatch) -> Answer {
    var members: [String: EventValue] = ["accepted": .int(Int64(batch.accepted))]
    if !batch.rejected.isEmpty {
      members["rejected"] = .array(
        batch.rejected.map { ["eventId": .string($0.id.description), "reason": .string($0.fault.reason)] })
    }
    let duplicates = batch.taken - batch.accepted
    if duplicates > 0 { members["duplicates"] = .int(Int64(duplicates)) }
    if !batch.conflicting.isEmpty {
      members["conflicting"] = .array(batch.conflicting.map { .string($0.description) })
    }
    return .json(200, .object(members))
  }
}

/// The sample tracker's format. Its events have no ids, so each delivery counts as a new event.
struct SampleServer: VendorServer {
  let path = CollectorServer.eventsPath
  let hasIDs = false
  let hasDecisionInProperties = false
  let mediaTypes: Set<String> = []
  let limits = VendorLimits()

  func event(_ element: RequestValue) throws(RequestFault) -> RecordedEvent {
    try element.allow(["eventId", "eventTime", "payload"])
    return RecordedEvent(
      time: try element.required("eventTime").integer(), name: try element.required("eventId").text(),
      payload: try element.required("payload").members())
  }

  func success(_ batch: TakenBatch) -> Answer {
    .json(200, ["accepted": .int(Int64(batch.accepted))])
  }
}
