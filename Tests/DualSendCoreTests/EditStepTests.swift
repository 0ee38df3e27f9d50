import DualSendCore
import Testing

@Suite struct EditStepTests {
  @Test func aReplacedElementIsRemovedBeforeTheNewOneIsAdded() {
    let (old, new) = (["a", "b", "c"], ["a", "x", "c", "d"])
    let steps = EditStep.steps(from: old, to: new)
    let marked = steps.map { step in
      String(step.kind.mark) + (step.kind == .removed ? old[step.old] : new[step.new])
    }
    #expect(marked == [" a", "-b", "+x", " c", "+d"])
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func theStepsLeadFromOneSequenceToTheOther(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    let (old, new) = (sequence(&generator), sequence(&generator))
    let steps = EditStep.steps(from: old, to: new)
    #expect(steps.filter { $0.kind != .added }.map { old[$0.old] } == old)
    #expect(steps.filter { $0.kind != .removed }.map { new[$0.new] } == new)
    #expect(steps.allSatisfy { $0.kind != .same || old[$0.old] == new[$0.new] })
  }

  private func sequence(_ generator: inout SplitMix64) -> [Int] {
    let count = Int.random(in: 0...12, using: &generator)
    return (0..<count).map { _ in Int.random(in: 0...3, using: &generator) }
  }

  @Test("leads from one sequence to the other, by as few steps as can be where they are short")
  func random() {
    var random = SplitMix64(seed: 3)
    for length in [0, 1, 7, 40, 2_500] {
      let old = (0..<length).map { _ in random.number(below: max(1, length / 2)) }
      var new = old
      for _ in 0..<length / 5 {
        let place = random.number(below: new.count)
        if random.number(below: 2) == 0 { new.remove(at: place) } else { new.insert(-1, at: place) }
      }
      let steps = EditStep.steps(from: old, to: new)
      #expect(steps.filter { $0.kind != .removed }.map { new[$0.new] } == new)
      #expect(steps.filter { $0.kind != .added }.map { old[$0.old] } == old)
      #expect(steps.allSatisfy { $0.kind != .same || old[$0.old] == new[$0.new] })
      if length <= 40 { #expect(steps.count { $0.kind != .same } == new.difference(from: old).count) }
    }
  }

  @Test("finds what stays of a long text, and replaces the rest, without comparing each line with each")
  func long() {
    let old = (0..<200_000).map { $0 % 3 == 0 ? "line \($0)" : "}" }
    let indented = old.map { "  " + $0 }
    #expect(EditStep.steps(from: old, to: indented).count { $0.kind == .same } == 0)
    var edited = old
    edited.replaceSubrange(90_000..<90_010, with: ["new"])
    edited.insert("first", at: 0)
    edited.append("last")
    let steps = EditStep.steps(from: old, to: edited)
    #expect(steps.count { $0.kind == .removed } == 10 && steps.count { $0.kind == .added } == 3)
  }
}
