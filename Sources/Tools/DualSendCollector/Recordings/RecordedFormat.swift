package import DualSendCommandLine
import DualSendCore

/// A format of recorded events, by its name on the command line.
package enum RecordedFormat: Sendable, Hashable, CaseIterable {
  /// `{"name","parameters","unitID","time"}`: the old logger's calls.
  case legacy
  /// A collector's requests, or the single events in them.
  case collector(CollectorFormat)
  /// Google Analytics 4 as BigQuery exports it.
  case ga4
  /// Snowplow's enriched events, tab-separated.
  case snowplow

  /// The form of lines that a stream is compared in.
  package enum Own: Sendable {
    /// Of the old logger.
    case legacy
    /// Of a collector.
    case wire
  }

  package static var allCases: [RecordedFormat] {
    [.legacy] + CollectorFormat.allCases.map { .collector($0) } + [.ga4, .snowplow]
  }

  package var name: String {
    switch self {
    case .legacy: "legacy"
    case .collector(let format): format.rawValue
    case .ga4: "ga4"
    case .snowplow: "snowplow"
    }
  }

  /// What a line looks like.
  package var shape: String {
    switch self {
    case .legacy: #"{"name":…, "parameters":{…}, "unitID":…, "time":…}"#
    case .collector(.dualsend): #"{"eventId":…, "eventName":…, "eventTime":…, "payload":{…}}"#
    case .collector(.sample): #"{"eventId":…, "eventTime":…, "payload":{…}}, where `eventId` is the name"#
    case .collector(.segment): #"{"type":"track", "event":…, "properties":{…}}, or a request {"batch":[…]}"#
    case .collector(.amplitude): #"{"event_type":…, "event_properties":{…}}, or a request {"events":[…]}"#
    case .collector(.posthog): #"{"event":…, "distinct_id":…, "properties":{…}}, or a request {"batch":[…]}"#
    case .collector(.otlp): #"{"eventName":…, "attributes":[…]}, or a request {"resourceLogs":[…]}"#
    case .collector(.cloudevents): #"{"specversion":"1.0", "type":…, "data":{…}}, or a list of these"#
    case .ga4: #"{"event_name":…, "event_params":[{"key":…, "value":{…}}]}"#
    case .snowplow: "\(SnowplowRow.fields.count) fields, separated by tabs"
    }
  }

  /// The names of all, for help.
  package static let names = allCases.map(\.name).joined(separator: ", ")

  /// Makes lines of one of our own forms; does nothing if the recording has it already.
  ///
  /// - Parameter format: `nil` finds it by the first lines, if all of them that have a known format have the same.
  package static func lines(_ format: RecordedFormat?, as own: Own) -> LineFormat {
    { first in
      guard let format = format ?? found(in: first) else { return nil }
      // Lines of our own form need no decoder, but requests do, which are lists of events.
      if format == own.format, !first.contains(where: { $0.bytes.first == UInt8(ascii: "[") }) { return nil }
      return LineDecoder(name: format.name) { line in
        format.events(in: line).map { event in
          event.map { (own == .legacy ? $0.legacyLine : $0.wireLine).canonicalJSON }
        }
      }
    }
  }

  // MARK: - Reading

  private static let maximumLineBytes = 64 << 20

  /// The events of a line: those of a request, or one.
  package func events(in line: UnsafeBufferPointer<UInt8>) -> [Result<RecordedEvent, RecordedFault>] {
    if self == .snowplow { return [SnowplowRow.event(in: line)] }
    let value: EventValue
    do { value = try JSONReader(maximumBytes: Self.maximumLineBytes).value(line) } catch {
      return [.failure(RecordedFault(error.description, at: error.offset, in: line))]
    }
    switch self {
    case .legacy: return [Self.legacyEvent(value, of: line)]
    case .collector(let format): return Self.events(in: value, format.server)
    case .ga4: return [GA4Export.event(value)]
    case .snowplow: return []
    }
  }

  private static func legacyEvent(
    _ value: EventValue, of line: UnsafeBufferPointer<UInt8>
  ) -> Result<RecordedEvent, RecordedFault> {
    do throws(LegacyEvent.Malformed) {
      let event = try LegacyEvent(value)
      guard case .object(let members) = value else { return .failure(RecordedFault("it is not an object")) }
      var recorded = RecordedEvent(time: event.time, name: event.name, payload: event.parameters, unit: event.unitID)
      if case .string(let id)? = members["eventId"] { recorded.id = id }
      if case .string(let text)? = members["decision"] { recorded.decision = CarriedDecision(text) }
      return .success(recorded)
    } catch { return .failure(RecordedFault(error.description, at: error.offset, in: line)) }
  }

  /// Each event by itself, so that one that cannot be read does not take the others with it.
  private static func events(
    in value: EventValue, _ server: any VendorServer
  ) -> [Result<RecordedEvent, RecordedFault>] {
    let body = RequestValue(body: value)
    do throws(RequestFault) {
      let elements = server.isBody(value) ? try server.elements(of: body) : [body]
      return elements.map { element in
        if let call = server.otherCall(element.value) {
          return .failure(RecordedFault("it is a call of `\(call)`", otherCall: call))
        }
        do throws(RequestFault) { return .success(try server.recordedEvent(element)) } catch {
          return .failure(RecordedFault(error.description))
        }
      }
    } catch { return [.failure(RecordedFault(error.description))] }
  }
}

extension RecordedFormat.Own {
  package var format: RecordedFormat { self == .legacy ? .legacy : .collector(.dualsend) }
}

extension VendorServer {
  fileprivate func isBody(_ value: EventValue) -> Bool {
    switch value {
    case .array: listKey == nil
    case .object(let members): listKey.map { members[$0] != nil } ?? false
    default: false
    }
  }
}

// MARK: - Recognition

extension RecordedFormat {
  /// The format of a recording by its first lines; `nil` if none has a known one, or if they differ.
  static func found(in lines: [LineReader.Line]) -> RecordedFormat? {
    let found = lines.compactMap { line in
      line.isCut ? nil : line.bytes.withUnsafeBufferPointer { of($0) }
    }
    return found.allSatisfy { $0 == found.first } ? found.first : nil
  }

  private static func of(_ line: UnsafeBufferPointer<UInt8>) -> RecordedFormat? {
    if SnowplowRow.isRow(line) { return .snowplow }
    guard let value = try? JSONReader(maximumBytes: maximumLineBytes).value(line) else { return nil }
    switch value {
    case .object(let members): return of(members)
    case .array(let elements):
      guard case .object(let members)? = elements.first else { return nil }
      return of(members)
    default: return nil
    }
  }

  /// By members that events of one format must have and events of the others do not.
  private static func of(_ members: [String: EventValue]) -> RecordedFormat? {
    func has(_ keys: String...) -> Bool { keys.allSatisfy { members[$0].map { $0 != .null } ?? false } }
    if case .array(let batch)? = members["batch"], case .object(let first)? = batch.first { return of(first) }
    if case .array(let events)? = members["events"], case .object(let first)? = events.first { return of(first) }
    if has("specversion", "type") { return .collector(.cloudevents) }
    if has("event_name", "event_params") { return .ga4 }
    if has("resourceLogs") || has("timeUnixNano", "attributes") { return .collector(.otlp) }
    if has("eventName", "payload") { return .collector(.dualsend) }
    if has("eventId", "eventTime", "payload") { return .collector(.sample) }
    if has("event_type"), !has("name") { return .collector(.amplitude) }
    if case .string(let type)? = members["type"], SegmentServer.calls.contains(type), !has("parameters") {
      return .collector(.segment)
    }
    if has("name") { return .legacy }
    if case .object(let properties)? = members["properties"], has("event"), properties["distinct_id"] != nil {
      return .collector(.posthog)
    }
    return has("event", "distinct_id") ? .collector(.posthog) : nil
  }
}
