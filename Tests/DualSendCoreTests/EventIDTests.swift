import DualSendCore
import Testing

@Suite("An event id", .timeLimit(.minutes(5)))
struct EventIDTests {
  @Test("holds 48 bits of time, the version and the variant; the rest is random")
  func layout() {
    var random = SplitMix64(seed: 1)
    let id = EventID(milliseconds: 0x0123_4567_89AB, using: &random)
    #expect(id.high >> 16 == 0x0123_4567_89AB)
    #expect(id.high >> 12 & 0xF == 7)
    #expect(id.low >> 62 == 0b10)
    let other = EventID(milliseconds: 0x0123_4567_89AB, using: &random)
    #expect(other.high & 0xFFF != id.high & 0xFFF)
    #expect(other.low != id.low)
  }

  @Test("is that of the example in RFC 9562, appendix A.6, for its time and bits")
  func referenceID() {
    struct Fixed: RandomNumberGenerator {
      var words: [UInt64] = [0xCC3, 0x18C4_DC0C_0C07_398F << 2]
      mutating func next() -> UInt64 { words.removeFirst() }
    }
    var bits = Fixed()
    let id = EventID(milliseconds: 1_645_557_742_000, using: &bits)
    #expect(id.description == "017f22e2-79b0-7cc3-98c4-dc0c0c07398f")
  }

  @Test("keeps the version whatever the clock says", arguments: [Int64.min, -1, 0, 1 << 48, .max])
  func strangeClocks(_ milliseconds: Int64) {
    var random = SplitMix64(seed: 2)
    let id = EventID(milliseconds: milliseconds, using: &random)
    #expect(id.high >> 12 & 0xF == 7)
    #expect(EventID(id.description) == id)
  }

  @Test("sorts by time")
  func order() {
    var random = SplitMix64(seed: 3)
    let ids = (0..<100).map { EventID(milliseconds: 1_700_000_000_000 + $0, using: &random) }
    #expect(ids.sorted() == ids)
    #expect(ids.map(\.description).sorted() == ids.map(\.description))
  }

  @Test("of one generator sorts by its creation within a millisecond")
  func orderWithinMillisecond() {
    var generator = EventIDGenerator()
    let ids = (0..<10_000).map { EventID(milliseconds: Int64($0 / 1000), using: &generator) }
    #expect(ids.sorted() == ids)
    #expect(ids.allSatisfy { $0.high >> 12 & 0xF == 7 && $0.low >> 62 == 0b10 })
  }

  @Test("survives its text form")
  func roundTrip() {
    var random = SplitMix64(seed: 4)
    for _ in 0..<1000 {
      let id = EventID(high: random.next(), low: random.next())
      #expect(EventID(id.description) == id)
    }
  }

  @Test("made by the package's own generator comes once")
  func unique() {
    var generator = EventIDGenerator()
    let ids = Set((0..<100_000).map { _ in EventID(milliseconds: 0, using: &generator) })
    #expect(ids.count == 100_000)
    var second = EventIDGenerator()
    let words = [generator.next(), second.next()]
    #expect(words[0] != words[1])
  }
}
