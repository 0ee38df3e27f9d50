@_spi(Tools) import DualSendCore
@_spi(Tools) import DualSendRemapping

/// Finds where the scalars of old payloads should stand after the table, and what should stand there.
struct ExpectedTexts {
  /// What the table does with the value of one key.
  private struct Way {
    /// Where the value should stand; `nil` if it is left out.
    var place: Int?
    /// The row that takes the value.
    var row: Int?
    /// What converts it.
    var rule: Int?
    /// Where rows for its members stand in the trie of sources.
    var node: Int?
  }

  /// A value from the table that is expected where the payload brings none.
  private struct Addition {
    let value: EventValue
    let text: [UInt8]
    /// The row whose default it is; `nil` for a constant.
    let row: Int?
    let target: KeyPathPattern
    var place: Int?
  }

  private let rows: [RemappingRow]
  private let sources: PatternTrie<Int>
  private var rules: [ValueRule] = []
  private var additions: [Addition] = []
  private var keys = KeyTree()
  /// By the number of the old key.
  private var ways: [Way]
  /// The payload in which each row last took a value.
  private var lastTaken: [Int]
  private var payload = 0

  /// `nil` if the rule does more than moving, converting and adding scalars.
  init?(_ rule: EventRule) {
    guard rule.clashPolicy == .mapped else { return nil }
    rows = rule.rows
    var sources = PatternTrie<Int>(refusesContradictions: false)
    for (index, row) in rows.enumerated() { _ = sources.insert(row.source, index) }
    self.sources = sources
    lastTaken = [Int](repeating: 0, count: rows.count)
    ways = [Way(place: rule.unmapped == .drop ? nil : FieldTally.root, node: 0)]
    let constants = rule.constants.sorted { $0.key < $1.key }.map { ($0.value, Int?.none, $0.key) }
    // A default inside an array is one for each element, and arrays go the long way.
    let defaults = rows.enumerated().compactMap { index, row -> (EventValue, Int?, KeyPathPattern)? in
      guard let value = row.fallback, let target = row.target, !target.steps.contains(.eachElement) else { return nil }
      return (value, index, target)
    }
    for (value, row, target) in constants + defaults {
      if case .object = value { return nil }
      if case .array = value { return nil }
      additions.append(Addition(value: value, text: value.canonicalJSON, row: row, target: target))
    }
  }

  /// Notes what is expected of a line's payload; `false` if it holds something else than scalars in objects.
  mutating func place(_ line: EventLine, in pair: inout TextPair, _ tally: inout FieldTally) -> Bool {
    keys.begin()
    payload += 1
    if let range = line.places.values.range {
      guard place(range, of: line, at: KeyTree.root, depth: 0, in: &pair, &tally) else { return false }
    }
    for index in additions.indices {
      guard add(index, to: &pair, &tally) else { return false }
    }
    return true
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
      if key == ways.count { ways.append(way(of: keys.text(key), below: ways[parent], &tally)) }
      let way = ways[key]
      if let row = way.row { lastTaken[row] = payload }
      if line.bytes[member.value.lowerBound] == UInt8(ascii: "{") {
        guard way.rule == nil, place(member.value, of: line, at: key, depth: depth + 1, in: &pair, &tally) else {
          return false
        }
      } else if let place = way.place {
        guard pair.setExpected(.text(member.value, rule: way.rule), at: place, tally) else { return false }
      } else {
        guard ScalarText(line.text(member.value)).isScalar else { return false }
      }
    }
    return scanner.isComplete && (last != nil || parent == KeyTree.root)
  }

  private mutating func way(of key: String, below parent: Way, _ tally: inout FieldTally) -> Way {
    let node = parent.node.flatMap { sources.nodes[$0].children[.key(key)] }
    guard let row = node.flatMap({ sources.nodes[$0].value }) else {
      return Way(place: parent.place.map { tally.member(key, of: $0) }, node: node)
    }
    guard case .move(let target, let rule) = rows[row].action else { return Way(row: row) }
    if let rule { rules.append(rule) }
    return Way(place: tally.place(of: target), row: row, rule: rule.map { _ in rules.count - 1 })
  }

  private mutating func add(_ index: Int, to pair: inout TextPair, _ tally: inout FieldTally) -> Bool {
    let place = additions[index].place ?? tally.place(of: additions[index].target)
    additions[index].place = place
    if let row = additions[index].row {
      // A default yields to a value, of its source or in its place.
      guard lastTaken[row] != payload, !pair.hasExpectation(at: place) else { return true }
    }
    return pair.setExpected(.addition(index), at: place, tally)
  }

  /// What became of a field; `nil` if a value is a container or no JSON.
  func outcome(of field: TextPair.Field, _ old: EventLine, _ new: EventLine) -> FieldOutcome? {
    let actual = field.actual.map { new.text($0) }
    let expected: EventValue
    switch field.expected {
    case nil: return actual.flatMap { ScalarText($0).isScalar ? .extra : nil }
    case .text(let range, let rule)?:
      let text = ScalarText(old.text(range))
      if rule == nil, let actual, text.bytes.hasSameBytes(as: actual), text.isPlain { return .equal }
      guard let value = text.value else { return nil }
      expected = rule.map { rules[$0].apply(to: value).value } ?? value
    case .addition(let index)?:
      if let actual, actual.elementsEqual(additions[index].text) { return .equal }
      expected = additions[index].value
    }
    guard let actual else { return .missing }
    return ScalarText(actual).value.map { FieldOutcome(expected: expected, actual: $0) }
  }
}
