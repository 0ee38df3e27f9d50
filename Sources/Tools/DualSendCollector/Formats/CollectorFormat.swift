package import DualSendTracking
package import DualSendWireFormats

/// A wire format by its command line name, for the collector and for a tracker.
package enum CollectorFormat: String, Sendable, Hashable, CaseIterable {
  /// `[{"eventId","eventName","eventTime","payload"}]`, the tracker's own.
  case dualsend
  /// `[{"eventId","eventTime","payload"}]`, where `eventId` is the event's name: the sample tracker's.
  case sample
  /// Segment's `POST /v1/batch`, also of RudderStack and others.
  case segment
  /// Amplitude's HTTP V2.
  case amplitude
  /// PostHog's `POST /batch/`.
  case posthog
  /// OpenTelemetry logs as JSON over HTTP.
  case otlp
  /// CloudEvents in JSON batch mode.
  case cloudevents

  /// The path for batches.
  package var path: String { server.path }

  /// Whether its events have ids, by which duplicates are recognised.
  package var hasIDs: Bool { server.hasIDs }

  /// The wire format for a tracker.
  ///
  /// - Parameter key: the write key or API key; for OTLP the service's name, for CloudEvents the source.
  package func wireFormat(key: String, identity: IdentityParameters = IdentityParameters()) -> any WireFormat {
    switch self {
    case .dualsend: TrackingEndpoint.DualSendFormat()
    case .sample: SampleTrackerFormat()
    case .segment: SegmentFormat(writeKey: key, identity: identity)
    case .amplitude: AmplitudeFormat(apiKey: key, identity: identity)
    case .posthog: PostHogFormat(apiKey: key, identity: identity)
    case .otlp: OTLPLogsFormat(serviceName: key, identity: identity)
    case .cloudevents: CloudEventsFormat(source: key, identity: identity)
    }
  }

  var server: any VendorServer {
    switch self {
    case .dualsend: DualSendServer()
    case .sample: SampleServer()
    case .segment: SegmentServer()
    case .amplitude: AmplitudeServer()
    case .posthog: PostHogServer()
    case .otlp: OTLPServer()
    case .cloudevents: CloudEventsServer()
    }
  }
}
