/// Sends to the service.
final class ServiceProvider: EventTracking {
  private var user: String?

  func log(_ name: String, parameters: [String: Any]?) {
    Output.write(name: name, parameters: parameters ?? [:])
  }

  func setUser(_ id: String?) { user = id }
}

/// Keeps the last events for a bug report.
final class MemoryProvider: EventTracking {
  private(set) var names: [String] = []

  func log(_ name: String, parameters: [String: Any]?) {
    names.append(name)
  }

  func setUser(_ id: String?) {}
}

/// Counts them.
struct CountingProvider: EventTracking {
  final class Counter { var count = 0 }
  let counter = Counter()

  func log(_ name: String, parameters: [String: Any]?) { counter.count += 1 }
  func setUser(_ id: String?) {}
}

/// Hands every event to all of them.
final class ProviderGroup: EventTracking {
  private let providers: [EventTracking]

  init(_ providers: [EventTracking]) { self.providers = providers }

  func log(_ name: String, parameters: [String: Any]?) {
    providers.forEach { $0.log(name, parameters: parameters) }
  }

  func setUser(_ id: String?) { providers.forEach { $0.setUser(id) } }
}
