/// Sends events to the office.
final class Analytics {
  static let shared = Analytics()

  func log(_ name: String, _ parameters: [String: Any] = [:]) {
    Output.write(name: name, parameters: parameters)
  }

  func send(_ event: Event) {
    Output.write(name: event.name, parameters: event.parameters)
  }

  func post(_ notice: Notice) {
    Output.write(name: notice.name.rawValue, parameters: notice.parameters)
  }

  func track(_ action: Action, _ parameters: [String: Any] = [:]) {
    Output.write(name: "ferry_" + action.rawValue.snakeCased, parameters: parameters)
  }
}

/// What several screens log alike.
extension Analytics {
  func logTrip(_ name: String, _ parameters: [String: Any] = [:]) {
    var all = parameters
    all.addCommon()
    log(name, all)
  }

  func logTicket(_ name: String, _ parameters: [String: Any], extra: [String: Any] = [:]) {
    var all: [String: Any] = ["ticket": true]
    all.add(parameters)
    all.merge(other: extra)
    log(name, all)
  }

  func logMenu(_ name: String, _ values: [String: Any?]) {
    log(name, values.compactMapValues(Self.present))
  }

  private static func present(_ value: Any?) -> Any? { value }
}
