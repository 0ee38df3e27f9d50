/// The one way to the service: names are cases.
final class Analytics {
  static let shared = Analytics()

  private var isMuted = false

  func track(_ event: EventName, parameters: [String: Any] = [:]) {
    guard !isMuted else { return }
    Output.write(name: event.rawValue, parameters: parameters)
  }

  func screen(_ screen: Screen) {
    Output.write(name: screen.name, parameters: [:])
  }

  func mute(_ isMuted: Bool) {
    self.isMuted = isMuted
  }
}
