import DualSendCore
import DualSendRemapping

/// The events of a call, as an inventory lists them.
struct SentEvents {
  /// Why they are not exact, sorted.
  let open: [String]
  let events: [SentEvent]

  init(_ shapes: [Shape], also more: Set<String> = []) {
    var reasons = more
    var byName: [Name: [Keys]] = [:]
    for shape in shapes {
      var keys = Keys()
      keys.add(shape.parameters, below: "", isOptional: false)
      reasons.formUnion(shape.reasons)
      reasons.formUnion(keys.reasons)
      let name = Name(shape.name)
      if let reason = name.reason { reasons.insert(reason) }
      byName[name, default: []].append(keys)
    }
    let found = byName.map { name, all in
      SentEvent(
        name: name.text, isPattern: name.isPattern, isOpen: all.contains(where: \.isOpen), parameters: Keys.either(all))
    }
    // An event about which nothing is known is not listed.
    let isNameless = byName.keys.allSatisfy { $0.text == "*" }
    events = isNameless ? [] : found.sorted { String.byteOrder($0.name, $1.name) }
    if events.isEmpty, reasons.isEmpty { reasons = ["it sends no event: the array of parameters is empty"] }
    open = reasons.sorted(by: String.byteOrder)
  }

  /// A name, or a pattern of names.
  private struct Name: Hashable {
    let text: String
    let isPattern: Bool
    let reason: String?

    init(_ value: Value) {
      switch value {
      case .text(let text): (self.text, isPattern, reason) = (text, false, nil)
      case .pattern(let parts, let why, _):
        text = parts.map { $0?.replacing("\\", with: "\\\\").replacing("*", with: "\\*") ?? "*" }.joined()
        isPattern = true
        reason = "a part of the name: \(why)"
      default: (text, isPattern, reason) = ("*", true, value.reason("the name"))
      }
    }
  }

  /// The leaves of a dictionary.
  private struct Keys {
    var leaves: [String: SentParameter] = [:]
    var isOpen = false
    var reasons: Set<String> = []

    /// The union of the events of several dictionaries.
    static func either(_ all: [Keys]) -> [SentParameter] {
      Dictionary(grouping: all.flatMap(\.leaves.values), by: \.key).values.map { there in
        .either(there, isOptional: there.count < all.count || there.contains(where: \.isOptional))
      }
    }

    mutating func add(_ object: Value.Dictionary, below path: String, isOptional: Bool) {
      if let reason = object.open {
        isOpen = true
        reasons.insert(path.isEmpty ? reason : "`\(path)`: \(reason)")
      }
      // It can be empty.
      if !path.isEmpty, object.open == nil, object.members.values.allSatisfy(\.isOptional) {
        add(SentParameter(key: path, isOptional: isOptional || !object.members.isEmpty, types: [.object]))
      }
      for (key, member) in object.members {
        let step = KeyPathPattern(key: key).description
        add(member.value, at: path.isEmpty ? step : path + "." + step, isOptional: isOptional || member.isOptional)
      }
    }

    private mutating func add(_ value: Value, at path: String, isOptional: Bool) {
      func addLeaf(_ type: SentType, _ value: EventValue? = nil) {
        add(SentParameter(key: path, isOptional: isOptional, types: [type], values: value.map { [$0] }))
      }
      switch value {
      case .text(let text): addLeaf(.string, .string(text))
      case .literal(let literal): addLeaf(literal.sentType, literal)
      case .pattern: addLeaf(.string)
      case .scalar(let type): addLeaf(type)
      case .dictionary(let object) where object.open == nil && !object.isKeyedByCases:
        add(object, below: path, isOptional: isOptional)
      case .list(let elements) where elements.isEmpty: addLeaf(.array)
      case .list(let elements): for element in elements { add(element, at: path + "[]", isOptional: isOptional) }
      case .elements(let element): add(element, at: path + "[]", isOptional: true)
      case .oneOf(let values):
        let each = values.map { value in
          var alone = Keys()
          alone.add(value, at: path, isOptional: isOptional)
          return alone
        }
        for alone in each {
          isOpen = isOpen || alone.isOpen
          reasons.formUnion(alone.reasons)
        }
        for one in Self.either(each) { add(one) }
      // The key is known; the values below it need no name.
      case .parameter(_, let type) where type.withoutOptional == "String": addLeaf(.string)
      default: addLeaf(.unknown)
      }
    }

    private mutating func add(_ leaf: SentParameter) {
      let there = leaves[leaf.key] ?? leaf
      leaves[leaf.key] = .either([there, leaf], isOptional: there.isOptional && leaf.isOptional)
    }
  }
}

extension EventValue {
  fileprivate var sentType: SentType {
    switch self {
    case .null: .null
    case .bool: .bool
    case .int, .uint: .int
    case .double: .double
    case .string: .string
    case .date: .date
    case .array: .array
    case .object: .object
    }
  }
}
