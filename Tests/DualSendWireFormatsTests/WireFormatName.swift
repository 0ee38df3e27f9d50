import DualSendTracking
import DualSendWireFormats

/// Every format, for tests that hold for all of them.
enum WireFormatName: String, Sendable, CaseIterable {
  case dualsend
  case sample
  case segment
  case amplitude
  case posthog
  case otlp
  case cloudevents

  /// The format.
  ///
  /// - Parameter key: the write key, the API key, the service's name or the source, whichever the format has.
  func format(key: String, identity: IdentityParameters = IdentityParameters()) -> any WireFormat {
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
}
