import DualSendCore

/// Collects the values seen for one key.
struct ObservedParameter: Sendable {
  /// How often the key had a value other than `null`.
  private(set) var count = 0
  /// How often each type was seen, by its written form; `array` for arrays that no specification can describe.
  private var types: [String: Int] = [:]
  private var values: Set<EventValue> = []
  private var hasTooManyValues = false
  private var valueCount = 0

  mutating func add(_ value: EventValue, closedValuesLimit: Int) {
    guard value != .null else {
      types["null", default: 0] += 1
      return
    }
    count += 1
    if case .array(let elements) = value {
      let names = Set(elements.map(\.typeName))
      let name = names.count == 1 ? names.first : Self.isNumeric(names) ? "double" : nil
      types[
        elements.isEmpty ? "[]" : (name.flatMap(ParameterType.Element.init)).map { "\($0.rawValue)[]" } ?? "array",
        default: 0] += 1
      for element in elements { keep(element, limit: closedValuesLimit) }
    } else {
      types[value.typeName, default: 0] += 1
      keep(value, limit: closedValuesLimit)
    }
  }

  private mutating func keep(_ value: EventValue, limit: Int) {
    guard limit > 0, !hasTooManyValues else { return }
    switch value {
    case .string, .int: values.insert(value)
    default: hasTooManyValues = true
    }
    valueCount += 1
    guard values.count > limit else { return }
    hasTooManyValues = true
    values = []
  }

  /// The type, or the most frequent one; `nil` if no specification can describe it.
  var type: ParameterType? {
    let known = named
    if known.isEmpty { return nil }
    if Self.isNumeric(Set(known.keys)) { return ParameterType(.double) }
    if Self.isNumeric(Set(known.keys.map { $0.hasSuffix("[]") ? String($0.dropLast(2)) : "" })) {
      return ParameterType(.double, isArray: true)
    }
    // With equal counts, the one that a specification lists first.
    let most = ParameterType.words.max { known[$0, default: 0] < known[$1, default: 0] }
    return most.flatMap(ParameterType.init)
  }

  /// Whether one type fits all values. Doubles include integers, and an empty array fits every array.
  var isOfOneType: Bool {
    guard let type else { return false }
    let others = types.keys.filter { $0 != "null" && $0 != type.description && !($0 == "[]" && type.isArray) }
    return others.allSatisfy { type.element == .double && $0 == (type.isArray ? "int[]" : "int") }
  }

  /// The types seen, with counts and without values.
  var typesSeen: String {
    types.sorted { String.byteOrder($0.key, $1.key) }.map { "\($0.key) (\($0.value))" }.joined(separator: ", ")
  }

  /// The values, if they are few, were seen often enough and have distinct names.
  func closedValues(limit: Int) -> [EventValue] {
    guard limit > 0, !hasTooManyValues, type?.hasClosedValues == true, !values.isEmpty, valueCount >= 2 * values.count,
      Set(values.map(SwiftName.enumCase)).count == values.count,
      Set(values.map(\.canonicalText)).count == values.count
    else { return [] }
    return values.sorted { String.byteOrder($0.canonicalText, $1.canonicalText) }
  }

  private var named: [String: Int] { types.filter { ParameterType($0.key) != nil } }

  private static func isNumeric(_ names: Set<String>) -> Bool { names == ["int", "double"] }
}
