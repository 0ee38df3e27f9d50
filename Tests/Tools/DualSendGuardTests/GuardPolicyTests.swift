import DualSendCore
import DualSendRollout
import Testing

@testable import DualSendGuard
@testable import DualSendParity

@Suite("A policy", .timeLimit(.minutes(5)))
struct GuardPolicyTests {
  private func findings(_ text: String) -> [String] {
    do {
      _ = try GuardPolicy(text.utf8)
      return []
    } catch {
      return error.diagnostics.map { "\($0.code.rawValue) \($0.message) \($0.help ?? "")" }
    }
  }

  @Test("is read with all that it says, and with what holds otherwise")
  func all() throws {
    let policy = try GuardPolicy(
      """
      {
        "$schema": "guard.schema.json", "formatVersion": 1, "//": "a comment",
        "steps": [5, {"percentage": 12.5, "hold": "90m"}, 100], "hold": "2d", "settle": "10m", "rule": "home",
        "errorProbability": "1%", "maximumUnjudged": "3%", "units": "events", "onBreach": "kill",
        "bounds": [{"of": "lost", "limit": "0.05%", "events": ["home.*", "tap"], "together": true, "required": true}],
        "tell": {"webhook": "https://hooks.example.com/x", "command": ["notify", "--now"]}
      }
      """.utf8)
    #expect(policy.steps.map(\.percentage.thousandths) == [5_000, 12_500, 100_000])
    #expect(policy.steps.map(\.hold) == [172_800_000, 5_400_000, 172_800_000])
    #expect((policy.settle, policy.rule, policy.errorProbability) == (600_000, "home", 0.01))
    #expect(
      (policy.maximumUnjudged.description, policy.onBreach, policy.command) == ("3 %", .kill, ["notify", "--now"]))
    let bound = try #require(policy.bounds.first)
    #expect(
      bound.limit.partsPerMillion == 500 && bound.covers("home.like") && bound.covers("tap") && !bound.covers("a"))
    let plain = try GuardPolicy(
      #"{"formatVersion": 1, "steps": [1], "bounds": [{"of": "failing", "limit": "0.2%"}]}"#.utf8)
    #expect((plain.steps[0].hold, plain.settle, plain.errorProbability) == (86_400_000, 3_600_000, 0.05))
    #expect(plain.onBreach == .back && plain.bounds[0].isRequired && !plain.bounds[0].isTogether)
  }

  @Test(
    "is refused with the place and the way out",
    arguments: [
      (#""stepz": [5]"#, "DS0003 unknown key `stepz` did you mean `steps`?"),
      (#""hold": "1 day""#, "DS1401 `1 day` is not a time of at most 366 days such as \"90m\", \"24h\" or \"7d\""),
      (#""errorProbability": "0%""#, "DS1401 an error probability is above 0% and at most 50% such as \"5%\""),
      (
        #""onBreach": "bakc""#,
        "DS1403 unknown word `bakc` did you mean `back`? one of `hold`, `back`, `kill`"
      ),
    ])
  func refused(members: String, finding: String) {
    let text = #"{"formatVersion": 1, "steps": [5], "bounds": [{"of": "lost", "limit": "1%"}], \#(members)}"#
    #expect(findings(text) == [finding])
  }

  @Test("names every step and bound that makes no sense")
  func nonsense() {
    let text = """
      {"formatVersion": 1, "steps": [25, 5, 0, 101, 1.23456],
       "bounds": [{"of": "loss", "limit": "1%"}, {"of": "lost", "limit": "100%"}, {"of": "lost", "limit": "a lot"}]}
      """
    #expect(
      findings(text).map { $0.prefix(6) } == [
        "DS1402", "DS1402", "DS1402", "DS1402", "DS1403", "DS1401", "DS1401",
      ])
    let optional = #"{"formatVersion": 1, "steps": [5], "bounds": [{"of": "lost", "limit": "1%", "required": false}]}"#
    #expect(findings(optional).map { $0.prefix(6) } == ["DS1401"])
  }

  @Test(
    "warns of steps that end before all units, and of fractions",
    arguments: [("[5, 25]", "the last step is 25 %"), ("[0.05, 0.25, 1]", "all are at most 1 %"), ("[5, 100]", "")])
  func incomplete(steps: String, warning: String) throws {
    let policy = try GuardPolicy(
      #"{"formatVersion": 1, "steps": \#(steps), "bounds": [{"of": "lost", "limit": "1%"}]}"#.utf8)
    #expect(policy.warnings.map(\.code.rawValue) == (warning.isEmpty ? [] : ["DS1411"]))
    #expect(policy.warnings.allSatisfy { $0.message.contains(warning) })
  }

  @Test("may have a limit of 0 % only for a bound that need not be shown")
  func zeroLimit() {
    func policy(_ more: String) -> String {
      #"{"formatVersion": 1, "steps": [5], "bounds": [{"of": "failing", "limit": "1%"}, "#
        + #"{"of": "lost", "limit": "0%"\#(more)}]}"#
    }
    let found = findings(policy(""))
    #expect(found.count == 1 && found[0].hasPrefix("DS1401 no number of events shows a limit of 0%"))
    #expect(findings(policy(#", "required": false"#)).isEmpty)
  }
}
