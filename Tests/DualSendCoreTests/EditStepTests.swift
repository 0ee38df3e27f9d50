import DualSendCore
import Testing

@Suite struct EditStepTests {
  @Test func aReplacedElementIsRemovedBeforeTheNewOneIsAdded() {
    let (old, new) = (["a", "b", "c"], ["a", "x", "c", "d"])
    let steps = new.difference(from: old).steps(from: old.count, to: new.count)
    let marked = steps.map { step in
      String(step.kind.mark) + (step.kind == .removed ? old[step.old] : new[step.new])
    }
    #expect(marked == [" a", "-b", "+x", " c", "+d"])
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func theStepsLeadFromOneSequenceToTheOther(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    let (old, new) = (sequence(&generator), sequence(&generator))
    let steps = new.difference(from: old).steps(from: old.count, to: new.count)
    #expect(steps.filter { $0.kind != .added }.map { old[$0.old] } == old)
    #expect(steps.filter { $0.kind != .removed }.map { new[$0.new] } == new)
    #expect(steps.allSatisfy { $0.kind != .same || old[$0.old] == new[$0.new] })
  }

  private func sequence(_ generator: inout SplitMix64) -> [Int] {
    let count = Int.random(in: 0...12, using: &generator)
    return (0..<count).map { _ in Int.random(in: 0...3, using: &generator) }
  }
}
