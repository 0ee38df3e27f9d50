import DualSendCore
import DualSendRemapping

/// Checks of the conversion of values.
extension TableLint {
  mutating func checkValues(_ row: TableOutline.Row) {
    guard let values = row.values else { return }
    let path = row.path.appending("values")
    checkNumbers(values, at: path)
    if let fallback = row.type == nil ? row.fallback : nil, values.allBecome(fallback) {
      warn(
        .manyToOne, "every value becomes the default: the table has no other result", at: fallback.offset,
        path: row.path.appending("default"),
        help: "write a constant with `add` if that is intended, or give the table's values other results")
      return
    }
    checkManyToOne(values, at: path)
    guard row.type == nil else { return }
    checkResultTypes(values, row)
    checkCompleteness(values, row)
  }

  /// Warns about numbers that are not in canonical form, which is the only form that is looked up.
  private mutating func checkNumbers(_ values: [JSONNode.Member], at path: EventPath) {
    let keys = values.map { (member: $0, scalar: $0.key.plainScalar) }
    // A table of strings may contain one that looks like a number.
    guard keys.allSatisfy({ $0.scalar != nil }) else { return }
    for (member, scalar) in keys {
      guard let scalar, scalar.isNumber, !scalar.canonicalText.isExactly(member.key) else { continue }
      let text = scalar.canonicalText
      let stands = values.contains { $0.key.isExactly(text) }
      warn(
        .unmatchableNumber, "no number has the text `\(member.key)`: it is looked up as `\(text)`",
        at: member.keyOffset, path: path.appending(member.key),
        help: (stands ? "remove it: the table has `\(text)` as well" : "write `\(text)`")
          + ", unless the old value is a string")
    }
  }

  private mutating func checkManyToOne(_ values: [JSONNode.Member], at path: EventPath) {
    var known: [[UInt8]: JSONNode.Member] = [:]
    var told: Set<[UInt8]> = []
    for member in values {
      let result = member.value.eventValue
      // `null` is not a value, and different spellings of one boolean are equal.
      if result == .null { continue }
      let text = result.canonicalJSON
      guard let other = known[text] else {
        known[text] = member
        continue
      }
      if case .bool(let flag) = result, member.key.spells(flag), other.key.spells(flag) { continue }
      guard told.insert(text).inserted else { continue }
      warn(
        .manyToOne, "`\(other.key)` and `\(member.key)` become the same value", at: member.keyOffset,
        path: path.appending(member.key), notes: ["`\(other.key)` is in line \(line(other.keyOffset))"],
        help: "the two cannot be told apart in the new stream: give each a value of its own")
    }
  }

  private mutating func checkResultTypes(_ values: [JSONNode.Member], _ row: TableOutline.Row) {
    let results = values.filter { $0.value.eventValue != .null }
    guard let first = results.first else { return }
    let type = first.value.resultType
    if let other = results.first(where: { $0.value.resultType != type }) {
      warn(
        .mixedTypes,
        "`\(first.key)` becomes \(first.value.typeDescription), `\(other.key)` \(other.value.typeDescription)",
        at: other.value.offset, path: row.path.appending("values").appending(other.key),
        help: "one key should have values of one type")
    } else if let fallback = row.fallback, fallback.resultType != type {
      warn(
        .strangeDefault,
        "the default is \(fallback.typeDescription), `\(first.key)` becomes \(first.value.typeDescription)",
        at: fallback.offset, path: row.path.appending("default"), help: "one key should have values of one type")
    }
  }

  private mutating func checkCompleteness(_ values: [JSONNode.Member], _ row: TableOutline.Row) {
    guard row.fallback == nil else { return }
    // A table of both booleans, or of 0 and 1, is complete.
    let keys = Set(values.map { ExactText($0.key) })
    if [["true", "false"], ["0", "1"]].contains(where: { Set($0.map(ExactText.init)) == keys }) { return }
    warn(
      .tableWithoutDefault, "a value that the table does not name stays unchanged", at: row.valuesOffset,
      path: row.path.appending("values"), help: "set `default` or `type` for such values")
  }

  /// Warns about conversions to integers of values that have fractions elsewhere in the table.
  mutating func checkTypes() {
    let events = [table.shared].compactMap { $0 } + table.events
    let rows = events.flatMap(\.rows)
    var doubleSources: [KeyPathPattern: TableOutline.Row] = [:]
    var doubleTargets: [ExactText: TableOutline.Row] = [:]
    for row in rows.reversed() where row.type == .double {
      doubleSources[row.source] = row
      if let target = row.target { doubleTargets[ExactText(target.text)] = row }
    }
    for row in rows where row.type == .int {
      let fraction = row.values?.first { $0.key.plainScalar?.hasFraction == true }
      let other = doubleSources[row.source] ?? row.target.flatMap { doubleTargets[ExactText($0.text)] }
      guard let offset = fraction?.keyOffset ?? other?.offset else { continue }
      warn(
        .cutFraction,
        "`\(row.source)` is converted to an integer, but the table shows that it has fractions: they are lost",
        at: row.offset, path: row.path,
        notes: [
          fraction.map { "`\($0.key)` is one (line \(line(offset)))" } ?? "line \(line(offset)) converts it to a double"
        ], help: "write `\"type\": \"double\"` in both places")
    }
  }
}

extension String {
  /// The text read as a JSON number, boolean or `null`; `nil` for any other text.
  fileprivate var plainScalar: EventValue? {
    guard let value = try? JSONReader().value(utf8) else { return nil }
    switch value {
    case .null, .bool, .int, .uint, .double: return value
    case .string, .array, .object, .date: return nil
    }
  }

  /// Whether the text is one of the usual spellings of a boolean.
  fileprivate func spells(_ flag: Bool) -> Bool {
    (flag ? ["1", "true", "yes", "y", "on", "t"] : ["0", "false", "no", "n", "off", "f"]).contains(lowercased())
  }
}

extension EventValue {
  fileprivate var hasFraction: Bool {
    if case .double(let number) = self { number != number.rounded(.towardZero) } else { false }
  }
}

extension JSONNode {
  /// The type in the new stream, where integers and doubles are both numbers.
  fileprivate var resultType: String {
    eventValue.isNumber ? "number" : eventValue.typeName
  }
}

extension [JSONNode.Member] {
  /// Whether every entry of a value table becomes the default.
  fileprivate func allBecome(_ fallback: JSONNode) -> Bool {
    allSatisfy { $0.value.eventValue == .null || $0.value.eventValue == fallback.eventValue }
  }
}
