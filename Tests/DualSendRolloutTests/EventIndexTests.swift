import DualSendCore
import Testing

@testable import DualSendRollout

@Suite struct EventIndexTests {
  @Test("the index finds what asking every pattern finds", arguments: 0..<200)
  func agreesWithPatterns(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    let rules = (0..<Int.random(in: 0...6, using: &random)).map { _ in
      EventIndex.Rule(
        events: Bool.random(using: &random)
          ? nil : (0..<Int.random(in: 1...3, using: &random)).map { _ in pattern(using: &random) },
        flags: .oldLogger, isUnconditional: false)
    }
    let index = EventIndex(rules)
    for name in names() {
      let expected = rules.indices.filter { rule in
        rules[rule].events.map { patterns in patterns.contains { $0.matches(name) } } ?? true
      }
      #expect(index.candidates(ofList: index.list(for: name)) == expected, "\(name)")
    }
  }

  @Test("rules after an unconditional one for the same flag are left out")
  func cut() {
    let index = EventIndex([
      EventIndex.Rule(events: nil, flags: .oldLogger, isUnconditional: false),
      EventIndex.Rule(events: [.prefix("a")], flags: .oldLogger, isUnconditional: true),
      EventIndex.Rule(events: nil, flags: .oldLogger, isUnconditional: false),
      EventIndex.Rule(events: nil, flags: .newTracker, isUnconditional: true),
      EventIndex.Rule(events: nil, flags: .both, isUnconditional: true),
    ])
    #expect(index.candidates(ofList: index.list(for: "ab")) == [0, 1, 3])
    #expect(index.candidates(ofList: index.list(for: "b")) == [0, 2, 3, 4])
  }

  @Test("rules about other names do not reach a name's list")
  func others() {
    let index = EventIndex(
      (0..<500).map { EventIndex.Rule(events: [.prefix("screen\($0).")], flags: .both, isUnconditional: false) })
    #expect(index.candidates(ofList: index.list(for: "home.tap")).isEmpty)
    #expect(index.candidates(ofList: index.list(for: "screen499.tap")) == [499])
  }

  private func pattern(using random: inout SplitMix64) -> EventPattern {
    let text = String(
      (0..<Int.random(in: 0...3, using: &random)).map { _ in "abü".randomElement(using: &random) ?? "a" })
    return Bool.random(using: &random) || text.isEmpty ? .prefix(text) : .exact(text)
  }

  /// All words of up to four of the letters.
  private func names() -> [String] {
    var words = [""]
    var last = [""]
    for _ in 0..<4 {
      last = last.flatMap { word in "abüc".map { word + String($0) } }
      words += last
    }
    return words
  }
}
