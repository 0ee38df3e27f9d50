package import DualSendCore
import DualSendRemapping

/// Receives the outcome of each field. Chooses the representation of a field's place.
protocol FieldVisitor {
  /// A place in the payload.
  associatedtype Place

  /// The place of the payload itself.
  var root: Place { get }
  mutating func member(_ key: String, of place: Place) -> Place
  mutating func element(_ index: Int, of place: Place) -> Place
  mutating func record(_ outcome: FieldOutcome, at place: Place)
}

/// Compares two payloads field by field.
///
/// Compares objects by member and arrays by element; everything else is a field. A container that only one side has, or
/// whose other side is of another type, is one field. Texts and keys are equal if their UTF-8 bytes are. Integers and
/// doubles are equal if their canonical texts are. A date equals its RFC 3339 text, its form on the wire.
struct PayloadComparer: Sendable {
  private let normalisation: Normalisation
  private let ignored: PatternTrie<Bool>?

  /// - Parameter normalisation: applied to both sides before the comparison.
  init(_ normalisation: Normalisation = .none) {
    self.normalisation = normalisation
    let patterns = normalisation.ignored
    var trie = PatternTrie<Bool>(refusesContradictions: false)
    // Shorter patterns first: a pattern inside an ignored one adds nothing.
    for pattern in patterns.sorted(by: { $0.steps.count < $1.steps.count }) { _ = trie.insert(pattern, true) }
    ignored = patterns.isEmpty ? nil : trie
  }

  func compare(
    expected: [String: EventValue], actual: [String: EventValue], visitor: inout some FieldVisitor
  ) {
    compare(
      normalisation.apply(to: expected), normalisation.apply(to: actual), at: visitor.root,
      ignoring: ignored == nil ? nil : 0, &visitor)
  }

  private func compare<Visitor: FieldVisitor>(
    _ expected: [String: EventValue], _ actual: [String: EventValue], at place: Visitor.Place,
    ignoring node: Int?, _ visitor: inout Visitor
  ) {
    for (key, value) in expected {
      let member = visitor.member(key, of: place)
      compare(value, actual.value(exactly: key), at: member, ignoring: child(of: node, .key(key)), &visitor)
    }
    for (key, value) in actual where expected.index(exactly: key) == nil {
      let member = visitor.member(key, of: place)
      compare(nil, value, at: member, ignoring: child(of: node, .key(key)), &visitor)
    }
  }

  private func compare<Visitor: FieldVisitor>(
    _ expected: EventValue?, _ actual: EventValue?, at place: Visitor.Place, ignoring node: Int?,
    _ visitor: inout Visitor
  ) {
    if let node, ignored?.nodes[node].value == true {
      visitor.record(.ignored, at: place)
      return
    }
    switch (expected, actual) {
    case (.object(let expected)?, .object(let actual)?) where !(expected.isEmpty && actual.isEmpty):
      compare(expected, actual, at: place, ignoring: node, &visitor)
    case (.array(let expected)?, .array(let actual)?) where !(expected.isEmpty && actual.isEmpty):
      let node = child(of: node, .eachElement)
      for index in 0..<max(expected.count, actual.count) {
        let element = visitor.element(index, of: place)
        compare(expected.element(index), actual.element(index), at: element, ignoring: node, &visitor)
      }
    case (let expected?, let actual?):
      visitor.record(FieldOutcome(expected: expected, actual: actual), at: place)
    case (_?, nil): visitor.record(.missing, at: place)
    case (nil, _?): visitor.record(.extra, at: place)
    case (nil, nil): break
    }
  }

  private func child(of node: Int?, _ step: KeyPathPattern.Step) -> Int? {
    node.flatMap { ignored?.nodes[$0].children[step] }
  }
}

extension Array {
  fileprivate func element(_ index: Int) -> Element? {
    index < count ? .some(self[index]) : .none
  }
}

extension FieldOutcome {
  /// The outcome of two values, unless both are objects or both are arrays.
  init(expected: EventValue, actual: EventValue) {
    let isEqual: Bool
    let isSameType: Bool
    switch (expected, actual) {
    case _ where expected.isNumber && actual.isNumber: (isEqual, isSameType) = (expected.isSameNumber(as: actual), true)
    case (.date, .string), (.string, .date):
      (isEqual, isSameType) = (expected.canonicalText == actual.canonicalText, true)
    default:
      (isEqual, isSameType) = (expected == actual, expected.typeName == actual.typeName)
    }
    self = isEqual ? .equal : isSameType ? .valueChanged : .typeChanged
  }
}

// MARK: - Compared field

/// The outcome of one field of one pair.
package struct ComparedField: Sendable, Hashable {
  /// The place in the new payload.
  package let path: EventPath
  package let outcome: FieldOutcome

  package init(path: EventPath, outcome: FieldOutcome) {
    (self.path, self.outcome) = (path, outcome)
  }

  /// All fields of a pair, compared as ``ParityComparer`` does, sorted by path.
  ///
  /// - Parameters:
  ///   - expected: the old payload after the table.
  ///   - actual: the new payload.
  package static func all(
    expected: [String: EventValue], actual: [String: EventValue], _ normalisation: Normalisation = .none
  ) -> [ComparedField] {
    var list = FieldList()
    PayloadComparer(normalisation).compare(expected: expected, actual: actual, visitor: &list)
    return list.fields.sorted { $0.path < $1.path }
  }
}

/// Collects fields with their full paths.
private struct FieldList: FieldVisitor {
  var fields: [ComparedField] = []

  var root: EventPath { EventPath() }

  func member(_ key: String, of place: EventPath) -> EventPath { place.appending(key) }

  func element(_ index: Int, of place: EventPath) -> EventPath { place.appending(index) }

  mutating func record(_ outcome: FieldOutcome, at place: EventPath) {
    fields.append(ComparedField(path: place, outcome: outcome))
  }
}
