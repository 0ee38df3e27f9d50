extension EventValue {
  /// The value at a path inside this one; `nil` if there is none.
  public func value(at path: EventPath) -> EventValue? {
    path.steps.reduce(Optional(self)) { value, step in
      switch (value, step) {
      case (.object(let members)?, .key(let key)): members.value(exactly: key)
      case (.array(let elements)?, .index(let index)): elements.indices.contains(index) ? elements[index] : nil
      default: nil
      }
    }
  }
}
