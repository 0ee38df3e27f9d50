import EventModel

/// Writes mapped values into what is left of a payload, making the containers on the way.
struct PayloadWriter {
  /// What became of one value. The depth is the number of steps down to the value that stood in the way.
  enum Written {
    /// The place was free.
    case placed
    /// Another value stood there and is gone.
    case replaced(depth: Int)
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
  }

  private(set) var clashes = 0
  /// Whether a value went into a container that was empty before: taking it out again would remove the container.
  private(set) var filledEmptyContainer = false
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
    // Taken out while it changes, or every container on the way would be copied.
    var place = root.take()
    let written = insertion.write(pattern.steps[...], depth: 0, into: &place)
    root = place
    if insertion.filledEmptyContainer { filledEmptyContainer = true }
    if insertion.clashed { clashes += 1 }
    return written
  }

  private struct Insertion {
    let value: EventValue
    let precedence: Precedence
    var indices: ArraySlice<Int>
    var clashed = false
    var filledEmptyContainer = false

    init(value: EventValue, precedence: Precedence, indices: ArraySlice<Int>) {
      self.value = value
      self.precedence = precedence
      self.indices = indices
    }

    mutating func write(
      _ steps: ArraySlice<KeyPathPattern.Step>, depth: Int, into place: inout EventValue?
    ) -> Written {
      guard let step = steps.first else { return put(depth: depth, into: &place) }
      switch (step, place.take()) {
      case (.key(let key), nil):
        var member: EventValue?
        let written = write(steps.dropFirst(), depth: depth + 1, into: &member)
        place = .object(member.map { [key: $0] } ?? [:])
        return written
      case (.key(let key), .object(var members)?):
        if members.isEmpty, depth > 0 { filledEmptyContainer = true }
        let written = write(steps.dropFirst(), depth: depth + 1, into: &members[key])
        place = .object(members)
        return written
      case (.eachElement, nil):
        return write(steps.dropFirst(), depth: depth + 1, inElementOf: [], at: &place)
      case (.eachElement, .array(let elements)?):
        return write(steps.dropFirst(), depth: depth + 1, inElementOf: elements, at: &place)
      case (_, let other):
        place = other
        return override(depth: depth, &place) { insertion, place in
          _ = insertion.write(steps, depth: depth, into: &place)
        }
      }
    }

    private mutating func write(
      _ steps: ArraySlice<KeyPathPattern.Step>, depth: Int, inElementOf elements: [EventValue],
      at place: inout EventValue?
    ) -> Written {
      let index = indices.popFirst() ?? 0
      var elements = elements
      while elements.count < index { elements.append(Self.filler(for: steps.first)) }
      var element = elements.indices.contains(index) ? .some(elements[index]) : Optional<EventValue>.none
      let written = write(steps, depth: depth, into: &element)
      if index < elements.count {
        elements[index] = element ?? .null
      } else {
        elements.append(element ?? .null)
      }
      place = .array(elements)
      return written
    }

    private mutating func put(depth: Int, into place: inout EventValue?) -> Written {
      if place != nil {
        return override(depth: depth, &place) { insertion, place in place = insertion.value }
      }
      place = value
      return .placed
    }

    private mutating func override(
      depth: Int, _ place: inout EventValue?, _ replace: (inout Insertion, inout EventValue?) -> Void
    ) -> Written {
      clashed = precedence != .yields
      guard precedence == .new else { return .refused(depth: depth) }
      place = nil
      replace(&self, &place)
      return .replaced(depth: depth)
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
