/// Finds unit IDs that land in given buckets.
struct UnitFinder {
  /// With one bucket wanted of 100,000, five million tries fail with probability e⁻⁵⁰.
  private static let tries = 5_000_000

  let bucketing: Bucketing

  /// The first of `unit-0`, `unit-1`, … whose bucket is wanted and that passes a check.
  func unit(in wanted: Range<Int>, where check: (String, Bucket) -> Bool) -> (id: String, bucket: Bucket)? {
    for number in 0..<Self.tries {
      let id = "unit-\(number)"
      let bucket = bucketing.bucket(of: id)
      if wanted.contains(bucket.index), check(id, bucket) { return (id, bucket) }
    }
    return nil
  }
}
