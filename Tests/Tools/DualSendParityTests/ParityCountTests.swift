import CustomDump
import Testing

@testable import DualSendParity

@Suite("The counts of a comparison", .timeLimit(.minutes(5)))
struct ParityCountTests {
  @Test("have the keys and the order that saved reports and partial results have")
  func keys() {
    expectNoDifference(
      ParityCount.allCases.map(\.key).joined(separator: " "),
      """
      pairs differingBeforeNoise renamed noise oldOnly newOnly oldDuplicates newDuplicates conflicting lostFromNew \
      lostFromOld lostBesideBroken unexpectedInOld unexpectedInNew undecided withoutUnit byDecision byDocument byNothing \
      contradicting judged failingBeforeNoise uncompared
      """)
    expectNoDifference(
      DayCount.allCases.map(\.name).joined(separator: " "),
      "events pairs differing lost unexpected undecided judged failing")
  }

  @Test("each is counted by a match or calculated from noise, and a day counts an event at most once")
  func verdicts() {
    let matches = EventMembership.Source.allCases.flatMap { source in
      [(true, true), (true, false), (false, true), (nil, nil)].flatMap { old, new in
        [true, false].flatMap { flag in
          var membership = EventMembership(old: old, new: new, source: source)
          (membership.isInDoubt, membership.isContradicted) = (flag, flag)
          return StreamSide.allCases.map { MatchVerdict(unpaired: $0, membership, isBesideBroken: flag) }
            + [MatchVerdict(uncomparedPair: membership)]
            + [true, false].map { MatchVerdict(pair: membership, differs: $0, isRenamed: $0) }
        }
      }
    }
    let repeats = StreamSide.allCases.map { MatchVerdict(duplicateOf: $0, isOther: true) }
    for count in ParityCount.allCases {
      #expect((matches + repeats).contains { $0.contains(count) } == (count != .noise), "\(count)")
    }
    for verdict in matches {
      #expect(verdict.number(of: DayCount.events.parts) == (verdict.contains(.uncompared) ? 0 : 1))
      #expect(verdict.contains(.judged) == (UnitSample.Outcome(verdict) != nil))
      #expect(!verdict.contains(.failingBeforeNoise) || verdict.contains(.judged))
    }
  }
}
