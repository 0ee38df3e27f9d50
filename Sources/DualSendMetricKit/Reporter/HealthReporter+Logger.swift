public import DualSendCore
public import DualSendTracking

extension HealthReporter {
  /// Creates a reporter whose events go to a logger.
  ///
  /// - Parameters:
  ///   - options: what is reported.
  ///   - logger: logs the events: a `Tracker`, several sinks, or the adapter of a migration.
  ///   - scope: the sinks that get them. By default not the old logger: these events are new, so there is nothing to
  ///     compare them with. `.all` sends them there too.
  ///   - delegate: is told of every delivery; not kept alive.
  ///   - time: measures days.
  public convenience init(
    _ options: Options = Options(), logger: any EventLogging, to scope: Sink.Scope = .except([.oldLogger]),
    delegate: (any HealthReporterDelegate)? = nil, time: TimeSource = .system
  ) {
    self.init(options, delegate: delegate, time: time) { event in
      logger.log(event.name, event.parameters, to: scope)
    }
  }
}
