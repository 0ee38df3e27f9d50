import DualSendCore
import DualSendInventory
import DualSendRemapping

/// What a call logs, as an inventory says it.
struct SentEvents {
  let certainty: Certainty
  /// Why it is not exact, sorted.
  let open: [String]
  let events: [SentEvent]

  init(_ logged: LogEvents) {
    var reasons = logged.reasons
    var byName: [Name: [Parameters]] = [:]
    for shape in logged.shapes {
      let parameters = Parameters(shape.parameters)
      reasons.formUnion(parameters.reasons)
      let name = Name(shape.name)
      if let reason = name.reason { reasons.insert(reason) }
      byName[name, default: []].append(parameters)
    }
    events = byName.map { name, shapes in
      SentEvent(
        name: name.text, isPattern: name.isPattern, isOpen: shapes.contains(where: \.isOpen),
        parameters: Parameters.either(shapes))
    }.sorted { String.byteOrder($0.name, $1.name) }
    if events.isEmpty, reasons.isEmpty { reasons = ["it sends no event: the array of parameters is empty"] }
    open = reasons.sorted(by: String.byteOrder)
    certainty = events.isEmpty ? .dynamic : reasons.isEmpty ? .exact : .partial
  }

  /// A name, or a pattern of names.
  private struct Name: Hashable {
    let text: String
    let isPattern: Bool
    let reason: String?

    init(_ value: SourceValue) {
      switch value.shape {
      case .literal(.string(let text)): (self.text, isPattern, reason) = (text, false, nil)
      case .text(let parts):
        text = parts.map { part in
          switch part {
          case .known(let text): text.replacing("\\", with: "\\\\").replacing("*", with: "\\*")
          case .open: "*"
          }
        }.joined()
        isPattern = true
        reason = value.openReason("a part of the name")
      default: (text, isPattern, reason) = ("*", true, value.openReason("the name"))
      }
    }
  }

  /// The leaves of a dictionary.
  private struct Parameters {
    var leaves: [String: Leaf] = [:]
    var isOpen = false
    var reasons: Set<String> = []

    struct Leaf {
      var types: Set<SentType>
      var values: [EventValue]?
      var isOptional: Bool
    }

    init(_ object: SourceValue.ObjectShape) {
      add(object, below: "", isOptional: false)
      if object.members.isEmpty { leaves = [:] }
    }

    /// What can be sent if any of some dictionaries can.
    static func either(_ all: [Parameters]) -> [SentParameter] {
      let keys = Set(all.flatMap(\.leaves.keys))
      return keys.map { key in
        let there = all.compactMap { $0.leaves[key] }
        let values = there.allSatisfy { $0.values != nil } ? there.flatMap { $0.values ?? [] } : nil
        return SentParameter(
          key: key, isOptional: there.count < all.count || there.contains(where: \.isOptional),
          types: there.reduce(into: Set()) { $0.formUnion($1.types) }, values: values)
      }
    }

    private mutating func add(_ object: SourceValue.ObjectShape, below path: String, isOptional: Bool) {
      if let reason = object.open {
        isOpen = true
        reasons.insert(path.isEmpty ? reason : "`\(path)`: \(reason)")
      }
      if object.members.isEmpty, !path.isEmpty, object.open == nil {
        add(Leaf(types: [.object], values: nil, isOptional: isOptional), at: path)
      }
      for (key, member) in object.members {
        let step = KeyPathPattern(key: key).description
        add(member.value, at: path.isEmpty ? step : path + "." + step, isOptional: isOptional || member.isOptional)
      }
    }

    private mutating func add(_ value: SourceValue, at path: String, isOptional: Bool) {
      switch value.shape {
      case .literal(let literal):
        add(Leaf(types: [literal.sentType], values: [literal], isOptional: isOptional), at: path)
      case .text: add(Leaf(types: [.string], values: nil, isOptional: isOptional), at: path)
      case .scalar(let kind): add(Leaf(types: [kind.sentType], values: nil, isOptional: isOptional), at: path)
      case .object(let object): add(object, below: path, isOptional: isOptional)
      case .list(let elements) where elements.isEmpty:
        add(Leaf(types: [.array], values: nil, isOptional: isOptional), at: path)
      // A key is there if one of the elements has it.
      case .list(let elements): for element in elements { add(element, at: path + "[]", isOptional: isOptional) }
      case .elements(let element): add(element, at: path + "[]", isOptional: true)
      case .oneOf(let values): addEither(values, at: path, isOptional: isOptional)
      case .enumCase, .instance, .tuple, .type, .open:
        isOpen = true
        reasons.insert(value.openReason("`\(path)`"))
        add(Leaf(types: [.unknown], values: nil, isOptional: isOptional), at: path)
      }
    }

    /// A place whose value is one of several.
    private mutating func addEither(_ values: [SourceValue], at path: String, isOptional: Bool) {
      let each = values.map { value in
        var alone = Parameters(.init())
        alone.add(value, at: path, isOptional: isOptional)
        return alone
      }
      for alone in each {
        isOpen = isOpen || alone.isOpen
        reasons.formUnion(alone.reasons)
      }
      for parameter in Self.either(each) {
        add(
          Leaf(types: Set(parameter.types), values: parameter.values, isOptional: parameter.isOptional),
          at: parameter.key)
      }
    }

    private mutating func add(_ leaf: Leaf, at path: String) {
      guard let there = leaves[path] else {
        leaves[path] = leaf
        return
      }
      leaves[path] = Leaf(
        types: there.types.union(leaf.types), values: there.values.flatMap { mine in leaf.values.map { mine + $0 } },
        isOptional: there.isOptional && leaf.isOptional)
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

extension SourceValue.ScalarKind {
  fileprivate var sentType: SentType {
    switch self {
    case .string: .string
    case .int: .int
    case .double: .double
    case .bool: .bool
    case .date: .date
    }
  }
}
