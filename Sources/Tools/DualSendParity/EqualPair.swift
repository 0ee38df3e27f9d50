import DualSendCommandLine
import DualSendCore
import DualSendRemapping
import Foundation

/// The shapes of an equal pair, and the conditions under which another pair with these shapes is equal.
///
/// Where the table takes a value from depends only on the payload's shape, never on a scalar. So the trace of one pair
/// is valid for all pairs with the same shapes.
struct EqualPair {
  /// The scalars of a payload, in text order.
  struct Scalars {
    let payload: UnsafeBufferPointer<UInt8>
    let ranges: [Range<Int>]

    subscript(index: Int) -> ScalarText { ScalarText(UnsafeBufferPointer(rebasing: payload[ranges[index]])) }
  }

  // Scalars by their index in ``Scalars``.
  private typealias Kept = (old: Int, new: Int)
  private typealias Converted = (old: Int, new: Int, rule: ValueRule)
  private typealias Added = (value: EventValue, text: [UInt8], new: Int)

  let old: PayloadShape
  let new: PayloadShape
  /// The nodes of all fields in the event's ``FieldTally``.
  private(set) var fields: [Int] = []
  private var kept: [Kept] = []
  private var converted: [Converted] = []
  private var added: [Added] = []
  /// Old scalars without a new field. They only have to be valid JSON.
  private var dropped: [Int] = []

  /// - Returns: `nil` if the payloads are not equal after the table, or the trace does not give the source of each new
  ///   scalar.
  init?(
    old oldPayload: UnsafeBufferPointer<UInt8>, new newPayload: UnsafeBufferPointer<UInt8>, named name: String,
    _ table: RemappingTable, _ tally: inout FieldTally
  ) {
    // Which of several sources wins depends on values, not on the shape.
    guard !table.rule(for: name).hasAlternatives else { return nil }
    guard let oldNode = try? JSONReader().document(oldPayload).root, case .object(let oldValues) = oldNode.eventValue,
      let newNode = try? JSONReader().document(newPayload).root, case .object(let newValues) = newNode.eventValue
    else { return nil }
    let (remapped, trace) = table.trace(name, payload: oldValues)
    guard remapped.clashes == 0 else { return nil }

    old = PayloadShape(of: oldPayload)
    new = PayloadShape(of: newPayload)
    let (oldScalars, newScalars) = (oldNode.scalars, newNode.scalars)
    let rows = table.rule(for: name).rows
    var visitor = PlaceVisitor(tally: tally)
    PayloadComparer().compare(expected: remapped.payload, actual: newValues, visitor: &visitor)
    tally = visitor.tally
    for field in visitor.fields {
      guard field.outcome == .equal, let origin = trace.origin(of: field.path, rows) else { return nil }
      fields.append(field.place)
      switch (origin, newScalars[field.path]) {
      case (.old(let path, nil), let number?):
        guard let source = oldScalars[path] else { return nil }
        kept.append((source, number))
      case (.old(let path, let rule?), let number?):
        guard let source = oldScalars[path] else { return nil }
        converted.append((source, number, rule))
      case (.table, let number?):
        guard let value = EventValue.object(remapped.payload).value(at: field.path) else { return nil }
        added.append((value, value.canonicalJSON, number))
      // The shape determines an empty container, unless a rule can make it from a scalar.
      case (.old(_, nil), nil), (.table, nil): break
      case (.old(_, _?), nil): return nil
      }
    }
    dropped = Set(oldScalars.values).subtracting(kept.map(\.old)).subtracting(converted.map(\.old)).sorted()
  }

  /// Whether a pair with these shapes is equal; `false` also if a scalar is not valid JSON.
  func isEqual(_ old: Scalars, _ new: Scalars) -> Bool {
    for field in kept {
      let (left, right) = (old[field.old], new[field.new])
      if left.bytes.hasSameBytes(as: right.bytes), left.isPlain { continue }
      guard let left = left.value, let right = right.value, isEqual(left, right) else { return false }
    }
    for field in converted {
      guard let left = old[field.old].value, let right = new[field.new].value,
        isEqual(field.rule.apply(to: left).value, right)
      else { return false }
    }
    for field in added {
      let right = new[field.new]
      if right.bytes.elementsEqual(field.text) { continue }
      guard let right = right.value, isEqual(field.value, right) else { return false }
    }
    return dropped.allSatisfy { old[$0].isScalar }
  }

  private func isEqual(_ expected: EventValue, _ actual: EventValue) -> Bool {
    FieldOutcome(expected: expected, actual: actual) == .equal
  }
}

/// Collects each field's path and its node in a tally.
private struct PlaceVisitor: FieldVisitor {
  var tally: FieldTally
  var fields: [(path: EventPath, place: Int, outcome: FieldOutcome)] = []

  var root: (EventPath, Int) { (EventPath(), tally.root) }
  mutating func member(_ key: String, of place: (EventPath, Int)) -> (EventPath, Int) {
    (place.0.appending(key), tally.member(key, of: place.1))
  }
  mutating func element(_ index: Int, of place: (EventPath, Int)) -> (EventPath, Int) {
    (place.0.appending(index), tally.element(index, of: place.1))
  }
  mutating func record(_ outcome: FieldOutcome, at place: (EventPath, Int)) {
    fields.append((place.0, place.1, outcome))
  }
}

/// Where a new field's value comes from.
private enum FieldOrigin {
  /// A path in the old payload, and the row's rule.
  case old(EventPath, ValueRule?)
  /// A constant or a default of the table.
  case table
}

extension RemappingTrace {
  /// The source of a field; `nil` if the trace does not have it, or a rule converted a container around it.
  fileprivate func origin(of field: EventPath, _ rows: [RemappingRow]) -> FieldOrigin? {
    let containing = outputs.filter { field.steps.starts(with: $0.path.steps) }
    guard let output = containing.max(by: { $0.path.steps.count < $1.path.steps.count }) else { return nil }
    let rest = field.steps.dropFirst(output.path.steps.count)
    switch output.origin {
    case .unmapped: return .old(field, nil)
    case .constant, .defaultValue: return .table
    case .row(let source, _):
      guard let row = rows.first(where: { $0.source.matches(source) }), case .move(_, let rule) = row.action,
        rule == nil || rest.isEmpty
      else { return nil }
      return .old(EventPath(source.steps + rest), rule)
    }
  }
}

extension KeyPathPattern {
  fileprivate func matches(_ path: EventPath) -> Bool {
    steps.count == path.steps.count
      && zip(steps, path.steps).allSatisfy { pattern, step in
        switch (pattern, step) {
        case (.key(let left), .key(let right)): left.isExactly(right)
        case (.eachElement, .index): true
        default: false
        }
      }
  }
}

extension JSONNode {
  /// The index of each scalar in text order, by path.
  fileprivate var scalars: [EventPath: Int] {
    var scalars: [EventPath: Int] = [:]
    number(at: EventPath(), &scalars)
    return scalars
  }

  private func number(at path: EventPath, _ scalars: inout [EventPath: Int]) {
    switch content {
    case .object(let members): for member in members { member.value.number(at: path.appending(member.key), &scalars) }
    case .array(let elements):
      for (index, element) in elements.enumerated() { element.number(at: path.appending(index), &scalars) }
    default: scalars[path] = scalars.count
    }
  }
}

// MARK: - Payload shape

/// The text of a payload without its scalars.
///
/// Two payloads with the same shape have the same keys in the same order, arrays of the same lengths, and scalars at the
/// same places. If one is valid JSON, so is the other, provided its scalars are valid.
struct PayloadShape {
  private let text: [UInt8]
  /// The position of each scalar: the length of the text before it.
  private let scalarPositions: [Int]

  /// - Parameter payload: valid JSON.
  init(of payload: UnsafeBufferPointer<UInt8>) {
    var text: [UInt8] = []
    var scalarPositions: [Int] = []
    var position = 0
    while position < payload.count {
      let scalarEnd = payload.endOfScalar(at: position)
      let end = scalarEnd ?? position + 1
      if scalarEnd != nil, !payload.isColonNext(from: end) {
        scalarPositions.append(text.count)
      } else {
        text += payload[position..<end]
      }
      position = end
    }
    self.text = text
    self.scalarPositions = scalarPositions
  }

  /// Finds the ranges of a payload's scalars; `false` if it has another shape.
  func find(_ scalars: inout [Range<Int>], in payload: UnsafeBufferPointer<UInt8>) -> Bool {
    scalars.removeAll(keepingCapacity: true)
    return text.withUnsafeBytes { text in
      var position = 0
      var start = 0
      for end in scalarPositions {
        guard Self.stands(text[start..<end], in: payload, at: position) else { return false }
        position += end - start
        start = end
        guard let scalarEnd = payload.endOfScalar(at: position) else { return false }
        scalars.append(position..<scalarEnd)
        position = scalarEnd
      }
      return payload.count - position == text.count - start && Self.stands(text[start...], in: payload, at: position)
    }
  }

  @inline(__always)
  private static func stands(
    _ part: Slice<UnsafeRawBufferPointer>, in payload: UnsafeBufferPointer<UInt8>, at position: Int
  ) -> Bool {
    guard position + part.count <= payload.count else { return false }
    guard let left = part.base.baseAddress, let right = payload.baseAddress else { return part.isEmpty }
    return memcmp(left + part.startIndex, right + position, part.count) == 0
  }
}
