/// The app's metrics: a static function for callers in a hurry beside the instance's own.
final class Metrics {
  static let shared = Metrics(service: Services.shared.eventService)

  private let service: EventService
  var session = 1

  init(service: EventService) { self.service = service }

  static func logEvent(_ name: String, with parameters: [String: Any] = [:]) {
    shared.logEvent(name, with: parameters)
  }

  func logEvent(_ name: String, with parameters: [String: Any] = [:]) {
    service.send(name, parameters.merging(["session": session]) { mine, _ in mine })
  }
}
