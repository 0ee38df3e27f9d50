/// The settings, with a closure that logs.
final class Settings {
  var onChange: ((String, Bool) -> Void)?

  func set(_ key: String, _ isOn: Bool) {
    let event = isOn ? "Setting On" : "Setting Off"
    ActivityLog.shared.logEvent(event, parameters: ["key": key])
    onChange?(key, isOn)
  }

  func wire() {
    onChange = { key, isOn in
      ActivityLog.shared.logEvent("Setting Heard", parameters: ["key": key, "on": isOn])
    }
  }

  func export(_ format: Format) {
    switch format {
    case .text:
      ActivityLog.shared.logEvent("Export", parameters: ["format": "text"])
    case .table(let separator):
      ActivityLog.shared.logEvent("Export", parameters: ["format": "table", "separator": separator])
    }
  }

  func ask(_ question: String) -> Bool {
    ActivityLog.shared.logEvent("Asked \(question)", parameters: nil)
    return true
  }

  enum Format { case text, table(String) }
}
