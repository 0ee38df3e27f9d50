import DualSendRollout
import DualSendRolloutAnalysis
import Testing

@Suite("The groups of a rollout in words")
struct CoverageWordsTests {
  /// The words of each group of contexts, with the share of the new tracker that the group has; `…` where they describe only a
  /// part of the group.
  private func groups(_ rules: String) throws -> Set<String> {
    let coverage = try RolloutCoverage(of: document(#""rules": [\#(rules)]"#))
    return Set(
      try #require(coverage.events.first).cells.compactMap { cell in
        guard case .everyone(let intervals, _) = cell.population else { return nil }
        return "\(intervals.share(of: .both)): \(cell.words)\(cell.wordsAreComplete ? "" : " …")"
      })
  }

  private func rule(_ match: String, _ share: Int) -> String {
    #"{"match": {\#(match)}, "shouldSendLogToNewTracker": \#(share)}"#
  }

  @Test("versions are ranges, and a boundary alone is named alone")
  func versions() throws {
    #expect(
      try groups(rule(#""appVersion": ">=7.2""#, 25)) == [
        "25 %: app version 7.2 and above", "0 %: app version below 7.2 or unknown",
      ])
    #expect(
      try groups(rule(#""appVersion": ">7.2""#, 25)) == [
        "25 %: app version above 7.2", "0 %: app version up to 7.2 or unknown",
      ])
    #expect(
      try groups(rule(#""appVersion": ">=7.2 <8""#, 25)) == [
        "25 %: app version 7.2 to below 8", "0 %: app version below 7.2 or 8 and above or unknown",
      ])
    #expect(
      try groups(rule(#""appVersion": "<=8.1""#, 25) + "," + rule(#""appVersion": "==8.2""#, 30)) == [
        "25 %: app version up to 8.1", "30 %: app version 8.2",
        "0 %: app version above 8.1 to below 8.2 or above 8.2 or unknown",
      ])
    #expect(
      try groups(rule(#""appVersion": ">=0""#, 25)) == ["25 %: app version that is known", "0 %: app version unknown"])
  }

  @Test("names are listed, and the rest is other than them")
  func names() throws {
    #expect(
      try groups(rule(#""country": ["JP", "US"]"#, 25) + "," + rule(#""country": ["DE"]"#, 30)) == [
        "25 %: country JP or US", "30 %: country DE", "0 %: country other than JP, US, DE",
      ])
    #expect(
      try groups(rule(#""attributes": {"plan": ["pro"]}"#, 25)) == [
        "25 %: attribute plan pro", "0 %: attribute plan other than pro",
      ])
  }

  @Test("several conditions are named together, and a group with several ways into it is said to be described in part")
  func several() throws {
    #expect(
      try groups(rule(#""appVersion": ">=7", "country": ["JP"]"#, 25)) == [
        "25 %: app version 7 and above, country JP", "0 %: app version below 7 or unknown …",
      ])
  }

  @Test("a condition that does not matter for a group is left out")
  func irrelevant() throws {
    #expect(
      try groups(rule(#""appVersion": "<7.2""#, 0) + "," + rule(#""country": ["JP"]"#, 100)) == [
        "0 %: app version below 7.2", "100 %: app version 7.2 and above or unknown, country JP",
        "0 %: app version 7.2 and above or unknown, country other than JP",
      ])
    // Two ways lead to Japan: the words have one of them.
    #expect(
      try groups(rule(#""country": ["JP"]"#, 100) + "," + rule(#""appVersion": "<7.2""#, 0))
        .contains("100 %: app version 7.2 and above or unknown, country JP …"))
  }

  @Test("a name that could be read as words is in quotation marks")
  func quoted() throws {
    #expect(
      try groups(rule(#""country": ["a, platform iOS"]"#, 25)) == [
        #"25 %: country "a, platform iOS""#, #"0 %: country other than "a, platform iOS""#,
      ])
  }

  @Test("without conditions, nothing is said")
  func everybody() throws {
    #expect(try groups("") == ["0 %: "])
  }
}
