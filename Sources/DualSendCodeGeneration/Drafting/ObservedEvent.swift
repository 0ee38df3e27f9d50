import DualSendCore

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
