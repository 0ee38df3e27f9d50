import DualSendCore

/// OpenTelemetry logs as JSON over HTTP, `POST /v1/logs` (https://opentelemetry.io/docs/specs/otlp/#otlphttp). A
/// partial success has the number of rejected records, but does not name them.
struct OTLPServer: VendorServer {
  /// Attributes with identities; the others are the payload.
  private static let identityAttributes: Set = [
    "app.installation.id", "device.id", "log.record.uid", "session.id", "user.id",
  ]

  let path = "/v1/logs"
  let listKey: String? = "resourceLogs"
  let limits = VendorLimits(bytes: 20 << 20)
  let acceptsPartialBatches = true

  func elements(of body: RequestValue) throws(RequestFault) -> [RequestValue] {
    try body.allow(["resourceLogs"])
    var records: [RequestValue] = []
    for resource in try body.optional("resourceLogs")?.elements() ?? [] {
      try resource.allow(["resource", "scopeLogs", "schemaUrl"])
      _ = try values(resource.optional("resource")?.optional("attributes"))
      for scope in try resource.optional("scopeLogs")?.elements() ?? [] {
        try scope.allow(["scope", "logRecords", "schemaUrl"])
        records += try scope.optional("logRecords")?.elements() ?? []
      }
    }
    return records
  }

  func event(_ element: RequestValue) throws(RequestFault) -> RecordedEvent {
    try element.allow([
      "attributes", "body", "droppedAttributesCount", "eventName", "flags", "observedTimeUnixNano", "severityNumber",
      "severityText", "spanId", "timeUnixNano", "traceId",
    ])
    // Zero means unknown.
    let nanoseconds = try element.optional("timeUnixNano")?.wholeNumber() ?? 0
    let attributes = try values(element.optional("attributes"))
    func text(_ name: String) -> String? { if case .string(let text)? = attributes[name] { text } else { nil } }
    var payload: [String: EventValue] = [:]
    for (name, value) in attributes {
      // `OTLPLogsFormat` marks a parameter that has the name of an attribute of its own.
      if let marked = Self.parameter(marked: name) {
        payload[marked] = value
      } else if !Self.identityAttributes.contains(name) {
        payload[name] = value
      }
    }
    return RecordedEvent(
      id: text("log.record.uid"), time: nanoseconds == 0 ? nil : nanoseconds / 1_000_000,
      name: try element.required("eventName").text(), payload: payload,
      unit: text("user.id") ?? text("app.installation.id"))
  }

  private static let mark = "parameter."

  /// A name that consists of marks stands for one with a mark less, the last for an empty name.
  private static func withoutMark(_ name: String) -> String {
    name.hasPrefix(mark) && name.replacing(mark, with: "").isEmpty ? String(name.dropFirst(mark.count)) : name
  }

  /// The parameter that an attribute such as `parameter.user.id` has; `nil` for any other.
  private static func parameter(marked name: String) -> String? {
    guard name.hasPrefix(mark) else { return nil }
    let parameter = String(name.dropFirst(mark.count))
    let isOne = identityAttributes.contains(parameter) || Self.parameter(marked: parameter) != nil
    return isOne ? parameter : nil
  }

  /// Reads a list of `{"key","value"}`.
  private func values(_ list: RequestValue?) throws(RequestFault) -> [String: EventValue] {
    var values: [String: EventValue] = [:]
    for entry in try list?.elements() ?? [] {
      try entry.allow(["key", "value"])
      let key = try entry.required("key")
      let name = Self.withoutMark(try key.text())
      guard values.updateValue(try value(entry.optional("value")), forKey: name) == nil else {
        throw key.fault("appears twice")
      }
    }
    return values
  }

  /// Reads an `AnyValue`; an empty one is null.
  private func value(_ wrapped: RequestValue?) throws(RequestFault) -> EventValue {
    guard let wrapped, let key = try wrapped.members().keys.min() else { return .null }
    guard try wrapped.members().count == 1 else { throw wrapped.fault("has several values") }
    let inner = try wrapped.required(key)
    switch (key, inner.value) {
    case ("stringValue", .string), ("bytesValue", .string), ("boolValue", .bool), ("doubleValue", .double):
      return inner.value
    case ("doubleValue", .int(let number)): return .double(Double(number))
    case ("intValue", _): return .int(try inner.wholeNumber())
    case ("arrayValue", _):
      var elements: [EventValue] = []
      for element in try inner.optional("values")?.elements() ?? [] { elements.append(try value(element)) }
      return .array(elements)
    case ("kvlistValue", _): return .object(try values(inner.optional("values")))
    default: throw inner.fault("is not a value of that type")
    }
  }

  func success(_ batch: TakenBatch) -> Answer {
    let refused = batch.rejected.map(\.fault) + batch.malformed
    if refused.isEmpty { return .json(200, [:]) }
    return .json(
      200,
      [
        "partialSuccess": [
          "rejectedLogRecords": .string(String(refused.count)), "errorMessage": .string(message(refused)),
        ]
      ])
  }

  func refusal(_ status: Int, _ faults: [RequestFault], events _: Int) -> EventValue {
    // google.rpc.Code
    let code: Int64 =
      switch status {
      case 400: 3
      case 401: 16
      case 403: 7
      case 404: 5
      case 413, 429: 8
      case 500: 13
      case 502, 503: 14
      case 504: 4
      default: 2
      }
    return ["code": .int(code), "message": .string(message(faults))]
  }
}

extension RequestValue {
  /// A 64-bit integer, which protobuf's JSON writes as a string and reads as either.
  fileprivate func wholeNumber() throws(RequestFault) -> Int64 {
    switch value {
    case .int(let number): return number
    case .string(let text):
      guard let number = Int64(text) else { throw fault("is not an integer") }
      return number
    default: throw fault("is not an integer")
    }
  }
}
