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
