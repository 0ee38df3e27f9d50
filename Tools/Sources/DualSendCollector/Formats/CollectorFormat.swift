public import DualSendTracking
public import DualSendWireFormats

/// A wire format by the name that command lines use: how the collector reads and answers it, and how a tracker sends it.
public enum CollectorFormat: String, Sendable, Hashable, CaseIterable {
  /// `[{"eventId","eventName","eventTime","payload"}]`, the tracker's own.
  case dualsend
  /// `[{"eventId","eventTime","payload"}]`, in which `eventId` is the event's name: the sample tracker's.
  case sample
  /// Segment's `POST /v1/batch`, which RudderStack and others take, too.
  case segment
  /// Amplitude's HTTP V2.
  case amplitude
  /// PostHog's `POST /batch/`.
  case posthog
  /// OpenTelemetry logs as JSON over HTTP.
  case otlp
  /// CloudEvents in JSON's batch mode.
  case cloudevents

  /// Where batches of this format are posted.
  public var path: String { server.path }

  /// Whether its events have ids, by which one that comes again is told from a new one.
  public var hasIDs: Bool { server.hasIDs }

  /// How a tracker sends it.
  ///
  /// - Parameter key: the write key or API key; with OTLP the service's name, with CloudEvents the source.
  public func wireFormat(key: String, identity: IdentityParameters = IdentityParameters()) -> any WireFormat {
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
