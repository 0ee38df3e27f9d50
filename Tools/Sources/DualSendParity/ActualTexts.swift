/// Finds where the scalars of new payloads stand.
struct ActualTexts {
  private var keys = KeyTree()
  /// The field's place by the number of its key.
  private var places = [FieldTally.root]

  /// Notes each scalar of a line's payload; `false` if there is something else.
  mutating func place(_ line: EventLine, in pair: inout TextPair, _ tally: inout FieldTally) -> Bool {
    keys.begin()
    guard let range = line.places.values.range else { return true }
    return place(range, of: line, at: KeyTree.root, depth: 0, in: &pair, &tally)
  }

  private mutating func place(
    _ object: Range<Int>, of line: EventLine, at parent: Int, depth: Int, in pair: inout TextPair,
    _ tally: inout FieldTally
  ) -> Bool {
    var scanner = MemberScanner(bytes: line.bytes, range: object)
    guard depth < TextPair.maximumDepth, scanner.open() else { return false }
    var last: Int?
    while let member = scanner.next() {
      guard let key = keys.member(line.text(member.key), of: parent, after: last) else { return false }
      last = key
      if key == places.count { places.append(tally.member(keys.text(key), of: places[parent])) }
      if line.bytes[member.value.lowerBound] == UInt8(ascii: "{") {
        guard place(member.value, of: line, at: key, depth: depth + 1, in: &pair, &tally) else { return false }
      } else {
        guard pair.setActual(member.value, at: places[key], tally) else { return false }
      }
    }
    return scanner.isComplete && (last != nil || parent == KeyTree.root)
  }
}
