import ShopLogging

/// Several loggers with shared parameters.
public struct Providers: EventLogger {
  let providers: [any EventLogger]
  let shared: [String: any Sendable]

  public init(_ providers: [any EventLogger], shared: [String: any Sendable]) {
    self.providers = providers
    self.shared = shared
  }

  public func logEvents(name: String, parameters: [[String: Any]]) {
    let complete = parameters.map { event in
      event.merging(shared) { _, shared in shared }.filter { $0.key != "email" }
    }
    for provider in providers { provider.logEvents(name: name, parameters: complete) }
  }
}
