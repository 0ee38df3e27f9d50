/// Everything hangs on everything.
final class Services {
  static let shared = Services()

  lazy var eventService = EventService(queue: queue, settings: settings)
  lazy var queue = EventQueue(settings: settings)
  lazy var settings = SettingsService(storage: storage)
  lazy var storage = StorageService()
  lazy var player = PlayerService(storage: storage, settings: settings)
  private init() {}
}

final class StorageService {
  private var values: [String: String] = [:]
  func value(_ key: String) -> String? { values[key] }
  func set(_ value: String, for key: String) { values[key] = value }
}

final class SettingsService {
  let storage: StorageService
  init(storage: StorageService) { self.storage = storage }

  func set(_ value: String, for key: String) {
    let old = storage.value(key)
    storage.set(value, for: key)
    Metrics.logEvent("setting_change", with: ["key": key, "old": old ?? "", "new": value])
  }
}

final class EventQueue {
  let settings: SettingsService
  private(set) var count = 0
  init(settings: SettingsService) { self.settings = settings }
  func count(_ name: String) { count += 1 }
}

final class EventService {
  let queue: EventQueue
  let settings: SettingsService

  init(queue: EventQueue, settings: SettingsService) {
    self.queue = queue
    self.settings = settings
  }

  func send(_ name: String, _ parameters: [String: Any]) {
    queue.count(name)
    Output.write(name: name, parameters: parameters)
  }
}
