package import ArgumentParser

/// The verbs of this module, grouped by task.
package enum DualSendVerbs {
  package static let rollouts: [any ParsableCommand.Type] = [
    ValidateVerb.self, ExplainVerb.self, PlanVerb.self, PublishVerb.self, SimulateVerb.self, RollbackVerb.self,
    KillVerb.self,
    GuardVerb.self,
    HistoryVerb.self, WatchVerb.self, SignVerb.self, SchemaVerb.self,
  ]
  package static let tables: [any ParsableCommand.Type] = [
    TableVerb.self, RemapVerb.self, GoldenVerb.self, ConformanceVerb.self,
  ]
  package static let specifications: [any ParsableCommand.Type] = [SpecifyVerb.self, GenerateVerb.self]
  package static let parity: [any ParsableCommand.Type] = [ParityVerb.self]
  package static let delivery: [any ParsableCommand.Type] = [ReplayVerb.self, CollectorVerb.self, DatabaseVerb.self]
}
