import DualSendCore

extension PayloadReader {
  /// A histogram: its buckets stand under their numbers, in any order.
  mutating func histogram(
    _ buckets: JSONNode.Member, of members: [JSONNode.Member], at path: EventPath,
    measures dimension: HealthUnit.Dimension
  ) -> HealthHistogram {
    for member in members where member.key != "histogramValue" && member.key != "histogramNumBuckets" {
      keep(member, at: path)
    }
    let place = path.appending(buckets.key)
    var read: [HealthHistogram.Bucket] = []
    var unreadable = 0
    for bucket in self.members(buckets.value, at: place).sorted(by: Self.isInOrder) {
      if let bucket = self.bucket(bucket.value, at: place.appending(bucket.key), measures: dimension) {
        read.append(bucket)
      } else {
        unreadable += 1
      }
    }
    return HealthHistogram(buckets: read, unreadableBuckets: unreadable)
  }

  /// By number; a key that is none comes last.
  private static func isInOrder(_ left: JSONNode.Member, _ right: JSONNode.Member) -> Bool {
    let (first, second) = (Int(left.key) ?? .max, Int(right.key) ?? .max)
    return first == second ? String.byteOrder(left.key, right.key) : first < second
  }

  /// `nil` for a bucket whose ends are texts that cannot be read.
  private mutating func bucket(
    _ node: JSONNode, at path: EventPath, measures dimension: HealthUnit.Dimension
  ) -> HealthHistogram.Bucket? {
    var count: Int64?
    var ends: [String: HealthQuantity] = [:]
    var isUnreadable = false
    for member in members(node, at: path) {
      let place = path.appending(member.key)
      switch member.key {
      case "bucketCount": count = document.integer(member.value, at: place)
      case "bucketStart", "bucketEnd":
        guard let text = document.string(member.value, at: place) else { break }
        let quantity = quantity(text, member.value, at: place, measures: dimension)
        isUnreadable = isUnreadable || quantity == nil
        ends[member.key] = quantity
      default: keep(member, at: path)
      }
    }
    if let start = ends["bucketStart"], let end = ends["bucketEnd"], let count {
      return HealthHistogram.Bucket(start: start, end: end, count: count)
    }
    if !isUnreadable { reportMissing(in: node, at: path) }
    return nil
  }

  private mutating func reportMissing(in node: JSONNode, at path: EventPath) {
    guard case .object(let members) = node.content else { return }
    let known = Dictionary(members.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    for key in ["bucketStart", "bucketEnd", "bucketCount"] {
      _ = document.member(key, of: known, in: node, at: path, help: "MetricKit writes it for every bucket")
    }
  }
}
