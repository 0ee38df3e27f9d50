import EventKit

/// The wrapper that screens call.
protocol Screen {
  var screenName: String { get }
}

extension Screen {
  func send(_ name: String, _ parameters: [String: Any] = [:]) {
    EventClient.shared.submit(Event(name: name, parameters: parameters, extra: ["screen": screenName]))
  }
}

struct HomeScreen: Screen {
  let screenName = "home"
  let client = EventClient.shared

  func appear() {
    send("screen_appear", ["first": true])
  }

  func tap(_ button: String) {
    send("screen_tap", ["button": button])
  }
}
