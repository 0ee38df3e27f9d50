import Testing

@testable import DualSendRollout

@Suite struct BucketingTests {
  @Test("the bucket is the scaled hash of salt, colon and unit ID")
  func formula() {
    var hash = Murmur3(seed: 0)
    hash.combine("tracker-2025:unit-1")
    let expected = Int((UInt64(hash.finish()) * 100_000) >> 32)
    #expect(RolloutBucketing(salt: "tracker-2025").bucket(of: "unit-1").index == expected)
  }

  @Test("the lowest and the highest hash fall into the first and the last bucket")
  func ends() {
    #expect(RolloutBucket(hash: 0) == .first)
    #expect(RolloutBucket(hash: .max).index == RolloutBucket.count - 1)
  }

  @Test("two Unicode spellings of one text are two units")
  func spellings() {
    let bucketing = RolloutBucketing(salt: "s")
    #expect(bucketing.bucket(of: "\u{E9}") != bucketing.bucket(of: "e\u{301}"))
  }

  @Test("units spread evenly: a tenth of the buckets holds a tenth of the units")
  func spread() {
    let bucketing = RolloutBucketing(salt: "spread")
    var counts = [Int](repeating: 0, count: 10)
    for number in 0..<20_000 { counts[bucketing.bucket(of: "unit-\(number)").index / 10_000] += 1 }
    #expect(counts.allSatisfy { (1_800...2_200).contains($0) })
  }
}
