package import DualSendCore

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
