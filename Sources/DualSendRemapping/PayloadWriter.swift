import DualSendCore

/// Writes mapped values into what is left of a payload, making the containers on the way.
struct PayloadWriter {
  /// What became of one value. The depth is the number of steps down to the value that stood in the way.
  enum Written {
    /// The place was free.
    case placed
    /// Another value stood there and is gone; `spelling` is the last key of its place if that has other bytes.
    case replaced(depth: Int, spelling: String?)
    /// Another value stands there and stays.
    case refused(depth: Int)
  }

  /// What to do about a value that stands in the way.
  enum Precedence {
    /// The new value wins; a clash.
    case new
    /// The old value wins; a clash.
    case old
    /// The old value wins, and that is as it should be: the new one is only a default.
    case yields
    /// The same, but a `null` that stands there only keeps an element's position and gives way.
    case fills
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

    /// Whether a value in the way is a clash.
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
      // A dictionary holds one of two equivalent keys, so that the other one is in the way.
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
      if let standing = place, precedence != .fills || standing != .null {
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

    /// The members at a place, none if it is free; `nil` if something else stands there.
    ///
    /// The place is emptied, for a dictionary that two hold would be copied when one changes it.
    private static func takeMembers(from place: inout EventValue?) -> [String: EventValue]? {
      guard let value = place else { return [:] }
      guard case .object(let members) = value else { return nil }
      place = nil
      return members
    }

    /// The elements at a place, in the same way.
    private static func takeElements(from place: inout EventValue?) -> [EventValue]? {
      guard let value = place else { return [] }
      guard case .array(let elements) = value else { return nil }
      place = nil
      return elements
    }

    /// Keeps the position of an element that has no value for a row.
    private static func filler(for step: KeyPathPattern.Step?) -> EventValue {
      switch step {
      case .key: .object([:])
      case .eachElement: .array([])
      case nil: .null
      }
    }
  }
}
