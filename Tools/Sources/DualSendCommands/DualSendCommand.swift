package import ArgumentParser
import DualSendCommandLine

/// The root of the command line.
package struct DualSendCommand: CommandRoot {
  package static let configuration = CommandConfiguration(
    commandName: "dualsend",
    abstract: "Take an app from an old event logger to a new tracker without losing an event.",
    discussion: "Exit status: 0 clean, 1 findings, 2 could not run, 64 wrong usage, 130 and 143 ended by a signal.",
    version: "0.1.0",
    subcommands: [
      ValidateVerb.self, ExplainVerb.self, PlanVerb.self, RollbackVerb.self, WatchVerb.self, SimulateVerb.self,
      BucketVerb.self, SchemaVerb.self, GenerateVerb.self, SpecifyVerb.self, DraftVerb.self, TableVerb.self,
      RemapVerb.self, CoverageVerb.self, ParityVerb.self, SQLVerb.self, GoldenVerb.self, ConformanceVerb.self,
      ReplayVerb.self, CollectorVerb.self, ConsoleVerb.self,
      FixturesVerb.self, DemoVerb.self, DoctorVerb.self, DeadLettersVerb.self, SalvageVerb.self, KeygenVerb.self,
      SignVerb.self, VerifyVerb.self,
    ]
  )

  package init() {}
}
