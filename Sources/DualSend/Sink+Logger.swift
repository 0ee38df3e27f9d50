public import DualSendTracking

extension Sink {
  /// A logger like the old one, called on the thread of the call site: as it was called there on the old side, where only
  /// mutations on the caller's thread reach it; with the new name and parameters, mutated, on the new side.
  public static func logger(_ id: Sink.ID, _ logger: any OldLogger) -> Sink {
    .plain(id) { name, parameters in logger.logEvents(name: name, parameters: [parameters]) }
  }
}

extension SinkGroup {
  /// The old logger alone, for typed call sites before the migration begins: it gets each event in its original form.
  public convenience init(oldLogger: any OldLogger) {
    self.init(places: [SinkPlace(.logger(.oldLogger, oldLogger), form: .original)], mutations: [], time: .system)
  }
}
