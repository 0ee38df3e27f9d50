public import DualSendCore

/// A draft of a specification, made from events that were sent, for people to complete.
///
/// It contains what the examples show: a parameter is nullable if it was absent or `null` in some event, and its type
/// is one that was seen. Keeps counts and, on request, the few values of a closed list. Memory is bounded.
public struct EventSpecificationDraft: Sendable {
  /// The most event names, and the most keys for each event, that are kept.
  public static let maximumNames = 5000

  private let closedValuesLimit: Int
  private var events: [ExactText: ObservedEvent] = [:]
  private var hiddenEvents = 0

  /// - Parameter closedValuesLimit: the most distinct strings or integers of a parameter that become a closed list, if
  ///   each was seen twice on average; 0 keeps no values.
  public init(closedValuesLimit: Int = 0) {
    self.closedValuesLimit = max(0, closedValuesLimit)
  }

  /// Adds one event.
  public mutating func add(name: String, parameters: [String: EventValue]) {
    let key = ExactText(name)
    guard events[key] != nil || events.count < Self.maximumNames else {
      hiddenEvents += 1
      return
    }
    events[key, default: ObservedEvent()].add(parameters, closedValuesLimit: closedValuesLimit)
  }

  /// Adds one event. Values that JSON cannot hold count as absent.
  public mutating func add(name: String, parameters: [String: any Sendable]) {
    var converter = EventValueConverter()
    add(name: name, parameters: converter.convert(parameters))
  }

  /// The draft, and warnings about decisions to make, without positions.
  public func finished() -> (specification: EventSpecification, findings: [DocumentDiagnostic]) {
    var findings: [DocumentDiagnostic] = []
    var events: [EventSpecification.Event] = []
    var names: Set<String> = []
    for (name, observed) in self.events.sorted(by: { $0.key < $1.key }) {
      guard SpecificationCheck.isName(name.text) else {
        findings.append(Self.warning("an event's name is empty or too long: it is left out", at: [name.text]))
        continue
      }
      // Uses Swift's `==`, as the reader of specifications does.
      guard names.insert(name.text).inserted else {
        findings.append(
          Self.warning(
            "the event `\(name.text)` is left out: another name is canonically equivalent, with other bytes",
            at: [name.text]))
        continue
      }
      let (parameters, more) = observed.parameters(of: name.text, closedValuesLimit: closedValuesLimit)
      events.append(EventSpecification.Event(name: name.text, parameters: parameters))
      findings += more
    }
    if hiddenEvents > 0 {
      findings.append(
        Self.warning("events of more than \(Self.maximumNames) names: \(hiddenEvents) are left out", at: []))
    }
    Self.distinguish(&events, \.typeName, \.swiftName)
    return (EventSpecification(events: events), BoundedFindings(findings).diagnostics)
  }

  /// Gives a numbered Swift name to each item whose name is already taken.
  static func distinguish<Named>(
    _ items: inout [Named], _ name: KeyPath<Named, String>, _ swiftName: WritableKeyPath<Named, String?>
  ) {
    var taken = Set(items.map { $0[keyPath: name] })
    var seen: Set<String> = []
    for index in items.indices where !seen.insert(items[index][keyPath: name]).inserted {
      let base = items[index][keyPath: name]
      var number = 2
      while !taken.insert("\(base)\(number)").inserted { number += 1 }
      items[index][keyPath: swiftName] = "\(base)\(number)"
    }
  }

  static func warning(_ message: String, at keys: [String]) -> DocumentDiagnostic {
    DocumentDiagnostic(
      .warning, .undecidedDraft, message, path: EventPath(keys.map { .key($0) }), help: "decide, and edit the draft")
  }
}

// MARK: - Observed event

/// Collects the parameters seen in events with one name.
struct ObservedEvent: Sendable {
  private var count = 0
  private var parameters: [ExactText: ObservedParameter] = [:]
  private var hidden = 0

  mutating func add(_ payload: [String: EventValue], closedValuesLimit: Int) {
    count += 1
    for (key, value) in payload {
      let key = ExactText(key)
      guard parameters[key] != nil || parameters.count < EventSpecificationDraft.maximumNames else {
        hidden += 1
        continue
      }
      parameters[key, default: ObservedParameter()].add(value, closedValuesLimit: closedValuesLimit)
    }
  }

  /// - Returns: the parameters sorted by key, and findings about what the examples leave open.
  func parameters(
    of event: String, closedValuesLimit: Int
  ) -> ([EventSpecification.Parameter], [DocumentDiagnostic]) {
    var drafted: [EventSpecification.Parameter] = []
    var findings: [DocumentDiagnostic] = []
    var keys: Set<String> = []
    func leaveOut(_ key: String, _ reason: String) {
      findings.append(
        EventSpecificationDraft.warning("`\(key)` of `\(event)` is left out: \(reason)", at: [event, key]))
    }
    for (key, observed) in parameters.sorted(by: { $0.key < $1.key }) {
      guard SpecificationCheck.isName(key.text) else {
        leaveOut(key.text, "the key is empty or too long")
        continue
      }
      // Uses Swift's `==`, because a Swift dictionary cannot hold two canonically equivalent keys.
      guard keys.insert(key.text).inserted else {
        leaveOut(key.text, "another key is canonically equivalent, with other bytes")
        continue
      }
      guard let type = observed.type else {
        leaveOut(key.text, "no value has a type that a specification can describe; seen: \(observed.typesSeen)")
        continue
      }
      if !observed.isOfOneType {
        findings.append(
          EventSpecificationDraft.warning(
            "`\(key.text)` of `\(event)` has values of several types: \(observed.typesSeen); drafted as \(type)",
            at: [event, key.text]))
      }
      drafted.append(
        EventSpecification.Parameter(
          key: key.text, type: type, isNullable: observed.count < count,
          values: observed.isOfOneType ? observed.closedValues(limit: closedValuesLimit) : []))
    }
    if hidden > 0 {
      let message =
        "`\(event)` has more than \(EventSpecificationDraft.maximumNames) keys: \(hidden) values are left out"
      findings.append(EventSpecificationDraft.warning(message, at: [event]))
    }
    EventSpecificationDraft.distinguish(&drafted, \.propertyName, \.swiftName)
    return (drafted, findings)
  }
}

// MARK: - Observed parameter

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
