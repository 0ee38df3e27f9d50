public import DualSendCore
public import DualSendTracking

extension AmplitudeFormat {
  /// The wait after a 429 without a daily quota
  /// (<https://amplitude.com/docs/apis/analytics/http-v2#429s-in-depth>).
  private static let throttleWait = Duration.seconds(30)

  /// Reads the invalid events of a 400 and the throttled users of a 429.
  ///
  /// | answer | then |
  /// |---|---|
  /// | 200 with `events_ingested` below the number sent | delivered with a warning, because Amplitude does not name the others |
  /// | 400 with positions of events | these become dead letters, the others are sent again |
  /// | 400 about the key or a field of the request | delivery pauses |
  /// | 400 with neither | bisected |
  /// | 413 | halved |
  /// | 429 | kept for 30 s, or for an hour if a user or a device is above the daily quota |
  public func answer(_ response: HTTPTransportResponse, to events: [TrackingData]) -> WireAnswer {
    let members = EventValue.members(of: response)
    let error = members["error"]?.text ?? ""
    switch response.status {
    case 200..<300: return .delivered(warning: Self.missing(members["events_ingested"]?.count, of: events.count))
    case 400:
      // The response repeats the key, which must not be logged.
      if error.hasPrefix("Invalid API key") { return .refused(.reported("Invalid API key")) }
      if let field = members["missing_field"]?.text { return .refused(.reported("the request misses \(field)")) }
      let rejected = Self.rejected(members, events)
      return rejected.isEmpty ? .invalid(error.isEmpty ? "400" : "400: \(error)") : .rejected(rejected)
    case 429:
      let isOverQuota = ["exceeded_daily_quota_users", "exceeded_daily_quota_devices"].contains {
        members[$0].map { !$0.members.isEmpty } ?? false
      }
      return .retry(
        .reported("429: \(error.isEmpty ? "throttled" : error)"),
        after: isOverQuota ? .seconds(3600) : Self.throttleWait)
    default: return WireAnswer(status: response.status)
    }
  }

  private static func missing(_ ingested: Int64?, of count: Int) -> String? {
    guard let ingested, ingested >= 0, ingested < count else { return nil }
    return "Amplitude accepted \(ingested) of \(count) events and does not name the others"
  }

  /// The events that the response names by position, with the reasons.
  private static func rejected(_ members: [String: EventValue], _ events: [TrackingData]) -> [EventID: String] {
    var rejected: [EventID: String] = [:]
    for (key, words) in [
      ("events_with_invalid_fields", "is invalid"), ("events_with_missing_fields", "is missing"),
      ("events_with_invalid_id_lengths", "is too short"),
    ] {
      for (field, places) in (members[key]?.members ?? [:]).sorted(by: { $0.key < $1.key }) {
        for place in places.places(below: events.count) where rejected[events[place].id] == nil {
          rejected[events[place].id] = "\(field) \(words)"
        }
      }
    }
    for place in members["silenced_events"]?.places(below: events.count) ?? [] where rejected[events[place].id] == nil {
      rejected[events[place].id] = "its device is silenced"
    }
    return rejected
  }
}
