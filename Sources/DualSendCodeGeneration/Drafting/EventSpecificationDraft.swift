public import DualSendCore

/// A specification drafted from events that were really sent: a start for people, who know what examples do not show.
///
/// What it says is what the examples say: a parameter is nullable if it was absent or `null` somewhere, and a type is one
/// that was seen. It keeps counts and, only if asked, the few values of a closed list; memory is bounded.
public struct EventSpecificationDraft: Sendable {
  /// The most names of events, and the most keys of one event, that are kept.
  public static let maximumNames = 5000

  private let closedValuesLimit: Int
  private var events: [ExactText: EventSketch] = [:]
  private var hiddenEvents = 0

  /// - Parameter closedValuesLimit: the most different strings or integers of a parameter that become a closed list, if
  ///   each was seen twice on average; 0 keeps no value at all.
  public init(closedValuesLimit: Int = 0) {
    self.closedValuesLimit = max(0, closedValuesLimit)
  }

  /// Takes one event into account.
  public mutating func add(name: String, parameters: [String: EventValue]) {
    let key = ExactText(name)
    guard events[key] != nil || events.count < Self.maximumNames else {
      hiddenEvents += 1
      return
    }
    events[key, default: EventSketch()].add(parameters, closedValuesLimit: closedValuesLimit)
  }

  /// Takes an event of an existing type into account; values that JSON cannot hold count as absent.
  public mutating func add(name: String, parameters: [String: any Sendable]) {
    var converter = EventValueConverter()
    add(name: name, parameters: converter.convert(parameters))
  }

  /// What the examples say, and what somebody should decide: warnings without places.
  public func finished() -> (specification: EventSpecification, findings: [DocumentDiagnostic]) {
    var findings: [DocumentDiagnostic] = []
    var events: [EventSpecification.Event] = []
    var names: Set<String> = []
    for (name, sketch) in self.events.sorted(by: { $0.key < $1.key }) {
      guard SpecificationCheck.isName(name.text) else {
        findings.append(Self.warning("an event's name is empty or too long: it is left out", at: [name.text]))
        continue
      }
      // By Swift's `==`, as a specification is read.
      guard names.insert(name.text).inserted else {
        findings.append(
          Self.warning(
            "the event `\(name.text)` is left out: another one's name is the same to Unicode, in other bytes",
            at: [name.text]))
        continue
      }
      let (parameters, more) = sketch.parameters(of: name.text, closedValuesLimit: closedValuesLimit)
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

  /// Gives a Swift name with a number to whatever would share one with something before it.
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
      .warning, .undecidedDraft, message, path: EventPath(keys.map { .key($0) }), help: "decide, and write it down")
  }
}
