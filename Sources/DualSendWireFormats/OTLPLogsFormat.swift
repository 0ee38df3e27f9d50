public import DualSendCore
public import DualSendTracking

/// Log records for OpenTelemetry collectors, by OTLP/HTTP in JSON: `POST <collector>:4318/v1/logs`
/// (<https://opentelemetry.io/docs/specs/otlp/#otlphttp>).
///
/// | field | from |
/// |---|---|
/// | `eventName`, `attributes` | the event's name and its payload, a parameter an attribute |
/// | `timeUnixNano`, `log.record.uid` | the event's time and id |
/// | `user.id`, `app.installation.id` | ``IdentityParameters/user``, ``IdentityParameters/unit`` |
/// | `session.id`, `device.id` | ``IdentityParameters/session``, ``IdentityParameters/device`` |
///
/// A parameter with the name of one of these attributes, such as `user.id`, is also the attribute `parameter.user.id`, so
/// that it can be read back. It takes precedence, except over `log.record.uid`. Integers are strings, as in protobuf's JSON;
/// an integer above `Int64.max`, for which OTLP has no type, becomes a string value with all its digits. A
/// parameter without a name is the attribute `parameter.`, because OTLP's attributes have names.
///
/// Limits: OTLP has none. The OpenTelemetry Collector accepts 20 MiB in a request
/// (<https://github.com/open-telemetry/opentelemetry-collector/blob/main/config/confighttp/README.md>).
public struct OTLPLogsFormat: WireFormat, Hashable {
  /// The attributes that are not parameters.
  private static let reserved: Set = ["app.installation.id", "device.id", "log.record.uid", "session.id", "user.id"]

  /// The attributes of the resource, including `service.name`.
  public var resource: [String: EventValue]
  /// The instrumentation scope's name.
  public var scope: String
  /// The parameters that identify the user, unit, session and device.
  public var identity: IdentityParameters
  /// The collector's limits.
  public var limits: WireRequest.Limits

  /// Creates the format for an app with this `service.name`.
  public init(
    serviceName: String, resource: [String: EventValue] = [:], scope: String = "dualsend",
    identity: IdentityParameters = IdentityParameters(),
    limits: WireRequest.Limits = WireRequest.Limits(bytes: 20 << 20)
  ) {
    self.resource = resource.merging(["service.name": .string(serviceName)]) { given, _ in given }
    self.scope = scope
    self.identity = identity
    self.limits = limits
  }

  /// Makes log records of one resource and one scope.
  public func request(for events: ArraySlice<TrackingData>, sentAt: Int64) -> WireRequest {
    let resource = EventValue.object(["attributes": OTLPValue.attributes(resource)]).canonicalJSON
    let scope = EventValue.object(["name": .string(scope)]).canonicalJSON
    return WireRequest(
      of: events, limits: limits, encodings: [.gzip],
      opening: Array("{\"resourceLogs\":[{\"resource\":".utf8) + resource + Array(",\"scopeLogs\":[{\"scope\":".utf8)
        + scope + Array(",\"logRecords\":[".utf8),
      closing: Array("]}]}]}".utf8)
    ) { event throws(WireRequest.Refusal) in
      let payload = try event.namedPayload()
      let identity = Identity(payload, self.identity)
      var attributes = object([
        "log.record.uid": .string(event.id.description), "user.id": EventValue(identity.user),
        "app.installation.id": EventValue(identity.unit), "session.id": EventValue(identity.session?.idText),
        "device.id": EventValue(identity.device),
      ]).members
      for (name, value) in payload {
        let isReserved = Self.reserved.contains(name.withoutMarks)
        if isReserved { attributes[String.parameterMark + name] = value }
        // A collector tells events apart by `log.record.uid`.
        if !isReserved || Self.reserved.contains(name) && name != "log.record.uid" { attributes[name] = value }
      }
      return object([
        "eventName": .string(event.name), "timeUnixNano": OTLPValue.nanoseconds(event.time),
        "observedTimeUnixNano": OTLPValue.nanoseconds(event.time), "attributes": OTLPValue.attributes(attributes),
      ]).canonicalJSON
    }
  }

  /// Reads `partialSuccess`. Retries only what OTLP allows.
  ///
  /// | answer | then |
  /// |---|---|
  /// | 2xx with `rejectedLogRecords` | if all: dead letters; if fewer: delivered with a warning, because OTLP does not name them and forbids a retry |
  /// | 400 | bisected |
  /// | 413 | halved |
  /// | 408, 429, 502, 503, 504 | kept, sent again |
  /// | any other | delivery pauses |
  public func answer(_ response: HTTPTransportResponse, to events: [TrackingData]) -> WireAnswer {
    let members = EventValue.members(of: response)
    switch response.status {
    case 200..<300:
      let partial = members["partialSuccess"]?.members ?? [:]
      let message = partial["errorMessage"]?.text ?? ""
      let rejected = partial["rejectedLogRecords"]?.count ?? 0
      if rejected >= events.count, rejected > 0 {
        let reason = message.isEmpty ? "rejected" : message
        return .delivered(rejected: Dictionary(events.map { ($0.id, reason) }, uniquingKeysWith: { $1 }))
      }
      if rejected > 0 {
        return .delivered(warning: "the collector rejected \(rejected) of \(events.count) records: \(message)")
      }
      return .delivered(warning: message.isEmpty ? nil : "the collector says: \(message)")
    case 400, 422:
      return .invalid("\(response.status)" + (members["message"]?.text.map { ": \($0)" } ?? ""))
    case 408, 413, 429, 502, 503, 504: return WireAnswer(status: response.status)
    default: return .refused(.status(response.status))
    }
  }
}

extension WireFormat where Self == OTLPLogsFormat {
  /// OpenTelemetry's log records, in JSON over HTTP.
  public static func otlpLogs(
    serviceName: String, identity: IdentityParameters = IdentityParameters()
  ) -> Self {
    Self(serviceName: serviceName, identity: identity)
  }
}

// MARK: - Values

/// Values in OTLP's JSON form
enum OTLPValue {
  /// A list of keys and values, sorted by the keys' bytes. An empty key, which OTLP does not take, is marked, and so is one
  /// that consists of marks.
  static func attributes(_ members: [String: EventValue]) -> EventValue {
    let named = members.map { name, value in
      (name: name.withoutMarks.isEmpty ? String.parameterMark + name : name, value: value)
    }
    return .array(
      named.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        .map { ["key": .string($0.name), "value": any($0.value)] })
  }

  private static func any(_ value: EventValue) -> EventValue {
    switch value {
    case .null: [:]
    case .bool: ["boolValue": value]
    case .int(let number): ["intValue": .string(String(number))]
    case .uint(let number): ["stringValue": .string(String(number))]
    case .double: ["doubleValue": value]
    case .string: ["stringValue": value]
    case .array(let elements): ["arrayValue": ["values": .array(elements.map(any))]]
    case .object(let members): ["kvlistValue": ["values": attributes(members)]]
    case .date(let date): ["stringValue": .string(Timestamp.text(milliseconds: Timestamp.milliseconds(date)))]
    }
  }

  /// Nanoseconds since 1970, as a string; `nil` if OTLP's unsigned field cannot hold them.
  static func nanoseconds(_ milliseconds: Int64) -> EventValue? {
    guard let time = UInt64(exactly: milliseconds) else { return nil }
    let (nanoseconds, overflow) = time.multipliedReportingOverflow(by: 1_000_000)
    return overflow ? nil : .string(String(nanoseconds))
  }
}

extension String {
  /// Begins an attribute with a parameter whose name is that of another attribute, or begins so itself.
  fileprivate static let parameterMark = "parameter."

  /// The name after all marks.
  fileprivate var withoutMarks: String {
    var name = Substring(self)
    while name.hasPrefix(Self.parameterMark) { name = name.dropFirst(Self.parameterMark.count) }
    return String(name)
  }
}
