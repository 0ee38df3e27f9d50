import DualSendCore

/// Writes mapped values into the rest of a payload and creates the containers of their paths.
struct PayloadWriter {
  /// The result of writing a value. The depth is the number of steps to the conflicting value.
  enum Written {
    /// There was no conflicting value.
    case placed
    /// The conflicting value was replaced. `spelling` is the last key of its path if its bytes differ.
    case replaced(depth: Int, spelling: String?)
    /// The conflicting value was kept.
    case refused(depth: Int)
  }

  /// The treatment of a conflicting value.
  enum Precedence {
    /// The new value wins, and a clash is counted.
    case new
    /// The old value wins, and a clash is counted.
    case old
    /// The old value wins over a default, without a clash.
    case ifAbsent
    /// As `ifAbsent`, or instead of a `null`, the placeholder for an array element.
    case ifAbsentOrNull
  }

  private(set) var clashes = 0
  private var root: EventValue?

  init(payload: [String: EventValue]) {
    root = .object(payload)
  }

  var payload: [String: EventValue] {
    if case .object(let members)? = root { return members }
    return [:]
  }

  /// - Parameter indices: the position in each array on the way, outermost first.
  mutating func write(
    _ value: EventValue, at pattern: KeyPathPattern, indices: [Int], precedence: Precedence
  ) -> Written {
    var insertion = Insertion(value: value, precedence: precedence, indices: indices[...])
    let written = insertion.write(pattern.steps[...], depth: 0, into: &root)
    if insertion.clashed { clashes += 1 }
    return written
  }

  private struct Insertion {
    let value: EventValue
    let precedence: Precedence
    var indices: ArraySlice<Int>
    var clashed = false

    /// Whether a conflicting value is a clash.
    private var isClash: Bool { precedence == .new || precedence == .old }

    init(value: EventValue, precedence: Precedence, indices: ArraySlice<Int>) {
      self.value = value
      self.precedence = precedence
      self.indices = indices
    }

    mutating func write(
      _ steps: ArraySlice<KeyPathPattern.Step>, depth: Int, into place: inout EventValue?
    ) -> Written {
      guard let step = steps.first else { return put(depth: depth, into: &place) }
      switch step {
      case .key(let key):
        guard var members = Self.takeMembers(from: &place) else { break }
        let written = write(steps.dropFirst(), depth: depth + 1, into: key, of: &members)
        place = .object(members)
        return written
      case .eachElement:
        guard var elements = Self.takeElements(from: &place) else { break }
        let written = write(steps.dropFirst(), depth: depth + 1, inElementOf: &elements)
        place = .array(elements)
        return written
      }
      return override(depth: depth, &place) { insertion, place in
        _ = insertion.write(steps, depth: depth, into: &place)
      }
    }

    private mutating func write(
      _ steps: ArraySlice<KeyPathPattern.Step>, depth: Int, into key: String, of members: inout [String: EventValue]
    ) -> Written {
      guard !members.isEmpty, let index = members.index(forKey: key) else {
        return write(steps, depth: depth, into: &members[key])
      }
      let spelling = members.keys[index]
      // A dictionary can hold only one of two canonically equivalent keys.
      guard spelling.isExactly(key) else {
        clashed = isClash
        guard precedence == .new else { return .refused(depth: depth) }
        members.remove(at: index)
        _ = write(steps, depth: depth, into: &members[key])
        return .replaced(depth: depth, spelling: spelling)
      }
      var member: EventValue? = members.values[index]
      members.values[index] = .null
      let written = write(steps, depth: depth, into: &member)
      members.values[index] = member ?? .null
      return written
    }

    private mutating func write(
      _ steps: ArraySlice<KeyPathPattern.Step>, depth: Int, inElementOf elements: inout [EventValue]
    ) -> Written {
      let index = indices.popFirst() ?? 0
      while elements.count < index { elements.append(Self.filler(for: steps.first)) }
      var element: EventValue?
      if index < elements.count {
        element = elements[index]
        elements[index] = .null
      } else {
        elements.append(.null)
      }
      let written = write(steps, depth: depth, into: &element)
      elements[index] = element ?? .null
      return written
    }

    private mutating func put(depth: Int, into place: inout EventValue?) -> Written {
      if let standing = place, precedence != .ifAbsentOrNull || standing != .null {
        return override(depth: depth, &place) { insertion, place in place = insertion.value }
      }
      place = value
      return .placed
    }

    private mutating func override(
      depth: Int, _ place: inout EventValue?, _ replace: (inout Insertion, inout EventValue?) -> Void
    ) -> Written {
      clashed = isClash
      guard precedence == .new else { return .refused(depth: depth) }
      place = nil
      replace(&self, &place)
      return .replaced(depth: depth, spelling: nil)
    }

    /// The members of the object at a place, empty if there is no value; `nil` if there is another value.
    ///
    /// Removes the object from its place, so that changing it does not copy the dictionary.
    private static func takeMembers(from place: inout EventValue?) -> [String: EventValue]? {
      guard let value = place else { return [:] }
      guard case .object(let members) = value else { return nil }
      place = nil
      return members
    }

    /// The elements of the array at a place, like ``takeMembers(from:)``.
    private static func takeElements(from place: inout EventValue?) -> [EventValue]? {
      guard let value = place else { return [] }
      guard case .array(let elements) = value else { return nil }
      place = nil
      return elements
    }

    /// The placeholder for an array element without a value.
    private static func filler(for step: KeyPathPattern.Step?) -> EventValue {
      switch step {
      case .key: .object([:])
      case .eachElement: .array([])
      case nil: .null
      }
    }
  }
}
