import DualSendCore

extension Value.Dictionary {
  /// A dictionary with more keys is open, so that the work is bounded.
  private static let maximumKeys = 512
  private static let maximumValues = 64

  /// The dictionary that covers several alternatives; `nil` if one of them is not a dictionary.
  ///
  /// - Parameter isChosen: whether a choice within an expression decides between them.
  static func joined(_ all: [Value], isChosen: Bool) -> Value.Dictionary? {
    let shapes = all.compactMap { if case .dictionary(let shape) = $0 { shape } else { nil } }
    guard shapes.count == all.count else { return nil }
    guard var result = shapes.first else { return nil }
    result.isChosen = isChosen || shapes.contains(where: \.isChosen)
    result.open = shapes.compactMap(\.open).first
    result.isKeyedByCases = shapes.contains(where: \.isKeyedByCases)
    for shape in shapes.dropFirst() {
      for key in result.members.keys where shape.members[key] == nil { result.members[key]?.isOptional = true }
      for (key, member) in shape.members {
        let there = result.members[key]
        if there == member { continue }
        result.members[key] = .init(
          value: there.map { Self.any(of: [$0.value, member.value]) } ?? member.value,
          isOptional: there?.isOptional ?? true || member.isOptional)
      }
    }
    if result.members.count > maximumKeys {
      for key in result.members.keys.sorted().dropFirst(maximumKeys) { result.members[key] = nil }
      result.limit()
    }
    return result
  }

  /// The value of one key. Of too many values, only the type is kept.
  static func any(of values: [Value]) -> Value {
    let all = Value.either(values)
    guard all.alternatives.count > maximumValues else { return all }
    let isText = all.alternatives.allSatisfy { $0.plain != nil }
    return .scalar(isText ? .string : .unknown)
  }

  /// Sets the value of a key; the key may have several alternatives.
  mutating func set(_ key: Value, _ member: Value.Member, text: String) {
    switch key {
    case .text(let name):
      if members[name] == nil, members.count >= Self.maximumKeys { return limit() }
      members[name] = member
    case .oneOf(let all):
      for one in all {
        guard case .text(let name) = one, members.count < Self.maximumKeys else {
          set(one, member, text: text)
          continue
        }
        let there = members[name]
        members[name] = .init(
          value: there.map { Self.any(of: [$0.value, member.value]) } ?? member.value,
          isOptional: there.map { $0.isOptional || member.isOptional } ?? true)
        isChosen = true
      }
    default:
      open = key.reason("the key `\(text)`")
    }
  }

  /// Removes a key.
  mutating func remove(_ key: Value) {
    if let text = key.plain {
      members[text] = nil
    } else {
      for key in members.keys { members[key]?.isOptional = true }
    }
  }

  /// Adds the keys of another dictionary. Which value a key of both gets is for the closure of the call to say.
  mutating func merge(_ added: Value.Dictionary) {
    let isLarge = members.count + added.members.count > Self.maximumKeys
    for key in isLarge ? added.members.keys.sorted() : Array(added.members.keys) {
      guard let member = added.members[key] else { continue }
      guard let there = members[key] else {
        if members.count < Self.maximumKeys { members[key] = member } else { limit() }
        continue
      }
      members[key] = .init(
        value: .unknown("a value that is made of two"), isOptional: there.isOptional && member.isOptional)
    }
    open = open ?? added.open
    isChosen = isChosen || added.isChosen
    isKeyedByCases = isKeyedByCases || added.isKeyedByCases
  }

  /// The dictionary with possible other keys.
  func opened(_ reason: String) -> Value.Dictionary {
    var result = self
    result.open = open ?? reason
    return result
  }

  /// The dictionary of which each key may be missing.
  var thinned: Value.Dictionary {
    var result = self
    for (key, member) in members {
      if member.value == .null { result.members[key] = nil }
      result.members[key]?.isOptional = true
      result.members[key]?.value = member.value.unwrapped
    }
    return result
  }

  private mutating func limit() { open = open ?? "it may have more than \(Self.maximumKeys) keys" }
}
