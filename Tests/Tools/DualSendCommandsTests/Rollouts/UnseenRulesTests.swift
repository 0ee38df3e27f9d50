import DualSendCommandLine
import DualSendCommandTesting
import DualSendCommands
import DualSendTool
import Foundation
import Testing

@Suite("A rule that matches nothing in a file of events", .timeLimit(.minutes(5)))
struct UnseenRulesTests {
  private let recording = RecordingTerminal()
  private let folder: TemporaryFiles

  init() throws {
    folder = try TemporaryFiles()
  }

  private static let events = [
    #"{"name": "home.view", "platform": "iOS", "appVersion": "25.4", "attributes": {"country": "JP"}}"#,
    #"{"name": "home.tap", "platform": "android", "appVersion": "25.10"}"#, #"{"name": "cart.add"}"#,
  ]

  /// The messages and helps that `validate --events` gives for one rule's `match`.
  private func found(_ match: String, events: [String] = events) async throws -> String {
    let rollout = try folder.rollout(#""rules": [{"name": "r", "match": \#(match), "shouldSendLogToNewTracker": 5}]"#)
    let file = try folder.file("events.jsonl", events.joined(separator: "\n"))
    _ = await DualSendCommand.run(["validate", rollout, "--events", file], on: recording.terminal)
    return recording.diagnostics.replacing(folder.folder.path + "/", with: "")
  }

  @Test("is named with its place and the word that was probably meant")
  func event() async throws {
    #expect(
      try await found(#"{"events": ["cart.*", "hmoe.*"]}"#) == """
        warning[DS0408]: `hmoe.*` matches none of the 3 event names in the events
          --> rollout.json:1:108  rules[0].match.events[1]
           = note: rule 1 "r" requires it
           = help: did you mean `home.*`?

        """)
  }

  @Test("is silenced where it stands by `allow`, and nowhere else")
  func allowed() async throws {
    let rollout = try folder.rollout(
      #"""
      "rules": [
        {"match": {"events": ["checkout.*"]}, "allow": ["DS0408"], "shouldSendLogToNewTracker": 5},
        {"match": {"events": ["refund.*"]}, "allow": ["DS0409"], "shouldSendLogToNewTracker": 5}
      ]
      """#)
    let file = try folder.file("events.jsonl", Self.events.joined(separator: "\n"))
    #expect(await DualSendCommand.run(["validate", rollout, "--events", file], on: recording.terminal) == .clean)
    #expect(!recording.diagnostics.contains("`checkout.*`"))
    #expect(recording.diagnostics.contains("`refund.*` matches none"))
  }

  @Test(
    "is named for an event, a version, a platform or an attribute",
    arguments: [
      (#"{"events": ["home.veiw"]}"#, "`home.veiw` matches none of the 3 event names", "did you mean `home.view`?"),
      (#"{"events": ["hmo*"]}"#, "`hmo*` matches none", "did you mean `hom*`?"),
      (#"{"events": ["checkout.*"]}"#, "`checkout.*` matches none", "correct it, or leave it if such events"),
      (#"{"platform": ["iso", "android"]}"#, "no event has the platform `iso`", "did you mean `iOS`?"),
      (
        #"{"appVersion": ">=26"}"#, "`>=26` holds for none of the app versions in the events, 25.4 to 25.10",
        "correct it"
      ),
      (#"{"attributes": {"contry": ["JP"]}}"#, "no event has an attribute `contry`", "did you mean `country`?"),
      (#"{"attributes": {"country": ["jp"]}}"#, "no event has the `country` `jp`", "did you mean `JP`?"),
    ])
  func kinds(_ match: String, _ message: String, _ help: String) async throws {
    let text = try await found(match)
    #expect(text.hasPrefix("warning[DS040"))
    #expect(text.contains(message))
    #expect(text.contains("= help: " + help))
    #expect(text.split(separator: "\n").count { $0.hasPrefix("warning") } == 1)
  }

  @Test(
    "is not named where something else of a list matches and nothing is near, or where the events do not tell",
    arguments: [
      (#"{"events": ["home.*", "checkout.*"]}"#, events), (#"{"events": ["*"]}"#, events),
      (#"{"events": ["home.tap"], "platform": ["iOS"], "appVersion": "<25.9"}"#, events),
      (#"{"platform": ["iso"], "appVersion": ">=26", "attributes": {"k": ["v"]}}"#, [#"{"name": "home.view"}"#]),
      (#"{"events": ["hmoe.*"]}"#, []),
    ])
  func quiet(_ match: String, _ events: [String]) async throws {
    let text = try await found(match, events: events)
    #expect(!text.contains("warning") && text.isEmpty == !events.isEmpty)
  }

  @Test("compares names by their bytes")
  func bytes() async throws {
    let text = try await found(#"{"events": ["caf\u00e9"]}"#, events: [#"{"name": "cafe\u0301"}"#])
    #expect(text.hasPrefix("warning[DS0408]"))
  }

  @Test("is named by simulate too, which knows the options besides")
  func simulate() async throws {
    let rollout = try folder.rollout(
      #""rules": [{"match": {"platform": ["iso"]}, "shouldSendLogToNewTracker": 5}]"#)
    let events = try folder.file("events.jsonl", #"{"name": "home.view", "unitID": "u"}"#)
    let arguments = ["simulate", rollout, "--events", events, "--platform", "iOS"]
    #expect(await DualSendCommand.run(arguments, on: recording.terminal) == .clean)
    #expect(recording.diagnostics.hasPrefix("warning[DS0409]: no event has the platform `iso`"))
  }

  @Test("is counted beyond the first twenty")
  func many() async throws {
    let patterns = (0..<300).map { #""other\#($0).*""# }.joined(separator: ", ")
    let text = try await found(#"{"events": [\#(patterns)]}"#)
    #expect(text.ranges(of: "matches none of").count == 20)
    #expect(text.contains("warning[DS0006]: and 280 more that match nothing in the events"))
  }
}
