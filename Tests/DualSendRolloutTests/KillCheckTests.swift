import DualSendCore
import Testing

@testable import DualSendRollout

@Suite("A change of the rollout", .timeLimit(.minutes(5))) struct KillCheckTests {
  private static let home = #"{"match": {"events": ["home.*"]}, "shouldSendLogToNewTracker": 25}"#
  private static let iOS = #"{"match": {"platform": ["iOS"]}, "shouldSendLogToNewTracker": 50}"#

  private func snapshot(_ members: String, salt: String = "test") throws -> RolloutSnapshot {
    let text = #"{"formatVersion": 2, "revision": 1, "salt": "\#(salt)", \#(members)}"#
    return RolloutSnapshot(try RolloutDocument(reading: text.utf8))
  }

  private func mayBeKill(_ before: String, _ after: String) throws -> Bool {
    KillCheck.mayBeKill(from: try snapshot(before), to: try snapshot(after))
  }

  @Test(
    "waits for its activation if it takes nothing away",
    arguments: [
      (#""shouldSendLogToNewTracker": 5"#, #""shouldSendLogToNewTracker": 5"#),
      (#""shouldSendLogToNewTracker": 5"#, #""shouldSendLogToNewTracker": 25"#),
      // The old logger loses units at the end of each migration.
      (
        #""shouldSendLogToNewTracker": 100, "missingUnit": "both""#,
        #""shouldSendLogToOldLogger": 95, "shouldSendLogToNewTracker": 100, "missingUnit": "both""#
      ),
      ("\"rules\": [\(home), \(iOS)]", #""shouldSendLogToNewTracker": 5, "rules": [\#(home), \#(iOS)]"#),
      // A rule is added that gives more than any other, or removed that gave less.
      (
        #""shouldSendLogToNewTracker": 5, "rules": [\#(home)]"#,
        #""shouldSendLogToNewTracker": 5, "rules": [\#(iOS), \#(home)]"#
      ),
      (
        #""shouldSendLogToNewTracker": 5, "rules": [\#(home), \#(iOS)]"#,
        #""shouldSendLogToNewTracker": 25, "rules": [\#(iOS)]"#
      ),
      (
        #""shouldSendLogToNewTracker": 50, "sinks": {"new": {"a": 5}}"#,
        #""shouldSendLogToNewTracker": 50, "sinks": {"new": {"a": 6}}"#
      ),
      (#""missingUnit": "old""#, #""missingUnit": "new""#),
    ] as [(String, String)])
  func raise(before: String, after: String) throws {
    #expect(try !mayBeKill(before, after))
  }

  @Test(
    "is activated at once if it takes something from the new side",
    arguments: [
      (#""shouldSendLogToNewTracker": 25"#, #""shouldSendLogToNewTracker": 24.999"#),
      ("\"rules\": [\(iOS)]", "\"rules\": [\(home), \(iOS)]"),
      ("\"rules\": [\(iOS), \(home)]", "\"rules\": [\(home), \(iOS)]"),
      ("\"rules\": [\(home)]", #""shouldSendLogToNewTracker": 5"#),
      (
        #""shouldSendLogToNewTracker": 50, "sinks": {"new": {"a": 5}}"#,
        #""shouldSendLogToNewTracker": 50, "sinks": {"new": {"a": 4}}"#
      ),
      (#""shouldSendLogToNewTracker": 50"#, #""shouldSendLogToNewTracker": 50, "sinks": {"new": {"a": 99}}"#),
      // Events without a unit.
      (
        #""shouldSendLogToNewTracker": 5, "missingUnit": "new""#,
        #""shouldSendLogToNewTracker": 5, "missingUnit": "old""#
      ),
      (
        #""shouldSendLogToNewTracker": 100"#, #""shouldSendLogToOldLogger": 50, "shouldSendLogToNewTracker": 100"#
      ),
      // Units without a sink.
      (#""shouldSendLogToOldLogger": 50"#, #""shouldSendLogToOldLogger": 50, "allowNeither": true"#),
      (#""allowNeither": true"#, #""shouldSendLogToOldLogger": 50, "allowNeither": true"#),
      // Spellings that Swift calls equal are different units.
      (
        #""rules": [{"match": {"unitIDs": ["\u00e9"]}, "shouldSendLogToNewTracker": 50}]"#,
        #""rules": [{"match": {"unitIDs": ["e\u0301"]}, "shouldSendLogToNewTracker": 50}]"#
      ),
    ] as [(String, String)])
  func kill(before: String, after: String) throws {
    #expect(try mayBeKill(before, after))
  }

  @Test("of the salt is activated at once")
  func salt() throws {
    let members = #""shouldSendLogToNewTracker": 5"#
    #expect(KillCheck.mayBeKill(from: try snapshot(members), to: try snapshot(members, salt: "other")))
  }

  @Test("between a document and booleans is judged as between documents")
  func booleans() throws {
    let half = try snapshot(#""shouldSendLogToNewTracker": 50"#)
    #expect(!KillCheck.mayBeKill(from: .oldLoggerOnly, to: half))
    #expect(KillCheck.mayBeKill(from: half, to: .oldLoggerOnly))
    #expect(!KillCheck.mayBeKill(from: .oldLoggerOnly, to: .newTrackerOnly))
    #expect(KillCheck.mayBeKill(from: .newTrackerOnly, to: .oldLoggerOnly))
  }
}
