import DualSendCommandLine
import DualSendCommandTesting
import DualSendTool
import Testing

@Suite("An invisible character in a rule", .timeLimit(.minutes(5)))
struct InvisibleCharacterTests {
  private let folder: TemporaryFiles

  init() throws {
    folder = try TemporaryFiles()
  }

  private func diagnostics(_ rule: String) async throws -> String {
    let document = try folder.rollout("\"rules\": [{\(rule), \"shouldSendLogToNewTracker\": 5}]")
    let recording = RecordingTerminal()
    #expect(await DualSendCommand.run(["validate", document], on: recording.terminal) == .clean)
    return recording.diagnostics
  }

  @Test(
    "is a warning with its code point and place",
    arguments: [
      (#""match": {"events": ["home.\u200btap"]}"#, "U+200B", "rules[0].match.events[0]"),
      (#""name": "a\u202e", "match": {"events": ["a"]}"#, "U+202E", "rules[0].name"),
      (#""match": {"attributes": {"tier": ["gold\u00a0"]}}"#, "U+00A0", "rules[0].match.attributes.tier[0]"),
    ])
  func invisible(rule: String, codePoint: String, path: String) async throws {
    let diagnostics = try await diagnostics(rule)
    #expect(diagnostics.contains("warning[DS0235]") && diagnostics.contains("character \(codePoint)"))
    #expect(diagnostics.contains(path))
  }

  @Test(
    "is none in words of any script, nor in an emoji of several",
    arguments: [#""match": {"events": ["nav bar", "日本", "می‌خواهم", "👩‍👩‍👧"]}"#])
  func visible(rule: String) async throws {
    #expect(try await !diagnostics(rule).contains("DS0235"))
  }
}
