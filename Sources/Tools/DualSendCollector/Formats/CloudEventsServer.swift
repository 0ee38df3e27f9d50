import DualSendCore

/// CloudEvents 1.0 in JSON batch mode over HTTP
struct CloudEventsServer: VendorServer {
  let path = CollectorServer.eventsPath
  let mediaTypes: Set = ["application/cloudevents-batch+json"]
  let limits = VendorLimits()

  func event(_ element: RequestValue) throws(RequestFault) -> RecordedEvent {
    let version = try element.required("specversion")
    guard try version.text() == "1.0" else { throw version.fault("is not 1.0") }
    for key in try element.members().keys.sorted() where key != "data" && key != "data_base64" {
      guard let attribute = try element.optional(key) else { continue }
      guard key.utf8.allSatisfy({ (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }) else {
        throw attribute.fault("has a name with other characters than a…z and 0…9")
      }
      try check(attribute)
    }
    for key in ["source", "type"] { _ = try element.required(key).text() }
    for key in ["subject", "dataschema", "datacontenttype"] { _ = try element.optional(key)?.text() }
    return RecordedEvent(
      id: try element.required("id").text(), time: try element.optional("time")?.time(),
      name: try element.required("type").text(), payload: try element.optional("data")?.members() ?? [:],
      unit: element.firstText(of: "subject"))
  }

  /// Checks that an attribute is a boolean, a 32-bit integer or a string.
  private func check(_ attribute: RequestValue) throws(RequestFault) {
    switch attribute.value {
    case .bool, .string: break
    case .int(let number) where Int32(exactly: number) != nil: break
    default: throw attribute.fault("is not a boolean, an integer of 32 bits or a string")
    }
  }

  func success(_: TakenBatch) -> Answer {
    Answer(status: 202)
  }
}
