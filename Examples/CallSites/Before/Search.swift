import ShopLogging

/// Fields for a logger that takes key paths.
public struct LogFields {
  var eventName: String
  var parameters: [String: Any]
}

extension EventLogger {
  func log(_ fields: [PartialKeyPath<LogFields>: Any]) {
    guard let name = fields[\.eventName] as? String else { return }
    logEvents(name: name, parameters: [fields[\.parameters] as? [String: Any] ?? [:]])
  }
}

public struct SearchScreen {
  let logger: any EventLogger

  public init(logger: any EventLogger) { self.logger = logger }

  public func search(_ words: String) {
    logger.log([\.eventName: "search", \.parameters: ["length": words.count]])
  }
}
