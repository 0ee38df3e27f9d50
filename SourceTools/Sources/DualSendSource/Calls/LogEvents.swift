import DualSendCore

/// What a call can log: each shape of event, and what is not known about it.
struct LogEvents: Hashable {
  /// One shape.
  struct Shape: Hashable {
    let name: SourceValue
    let parameters: SourceValue.ObjectShape
  }

  var shapes: [Shape] = []
  /// Why there may be others.
  var reasons: Set<String> = []
  /// Whether what is not known is up to the caller of the function around it.
  var dependsOnCaller = false
  /// The functions between the call and the one that logs.
  var via: [String] = []

  mutating func add(_ other: LogEvents) {
    for shape in other.shapes where !shapes.contains(shape) { shapes.append(shape) }
    reasons.formUnion(other.reasons)
    dependsOnCaller = dependsOnCaller || other.dependsOnCaller
    if via.isEmpty { via = other.via }
  }

  /// What is logged under a name with parameters, each as far as it is known.
  init(name: SourceValue, parameters: SourceValue) {
    let names = name.alternatives.map { $0.tainted(by: name) }
    for name in names where !name.isName {
      reasons.insert(name.openReason("the name"))
    }
    let known = names.filter(\.isName)
    let dictionaries = parameters.dictionaries
    for name in known {
      for dictionary in dictionaries.known { shapes.append(Shape(name: name, parameters: dictionary)) }
    }
    reasons.formUnion(dictionaries.reasons)
    // Whether each name goes with each of the dictionaries, only the conditions know.
    let isVaried =
      dictionaries.known.count > 1 || dictionaries.known.contains { $0.members.values.contains(where: \.isOptional) }
    if known.count > 1, isVaried {
      reasons.insert("which keys go with which of the \(known.count) names is not known")
    }
    dependsOnCaller =
      name.dependsOnCaller || (parameters.dependsOnCaller && !reasons.isEmpty)
      || (parameters.dependsOnCaller && dictionaries.known.count > 1)
      || dictionaries.known.contains { $0.isUpToCaller }
  }

  init() {}

  /// Whether there are several names, and not always the same keys with one of them.
  var variesWithName: Bool {
    let byName = Dictionary(grouping: shapes, by: \.name)
    return byName.count > 1
      && byName.values.contains { shapes in
        shapes.count > 1 || shapes.contains { $0.parameters.members.values.contains(where: \.isOptional) }
      }
  }

  /// Nothing is known of the event.
  init(reason: String, dependsOnCaller: Bool = false) {
    reasons = [reason]
    self.dependsOnCaller = dependsOnCaller
  }
}

extension SourceValue {
  /// Whether at least a part of it says what an event is called.
  fileprivate var isName: Bool {
    switch shape {
    case .literal(.string): true
    case .text(let parts): parts.contains { if case .known = $0 { true } else { false } }
    default: false
    }
  }

  /// The dictionaries of an argument that takes one, or an array of them.
  fileprivate var dictionaries: (known: [ObjectShape], reasons: Set<String>) {
    var known: [ObjectShape] = []
    var reasons: Set<String> = []
    for alternative in alternatives {
      switch alternative.shape {
      case .object(let object): known.append(object)
      case .list(let elements):
        for element in elements {
          let inner = element.dictionaries
          known += inner.known
          reasons.formUnion(inner.reasons)
        }
      case .elements(let element):
        let inner = element.dictionaries
        known += inner.known
        reasons.formUnion(inner.reasons)
      case .literal(.null): continue
      default:
        known.append(ObjectShape(open: alternative.openReason("the parameters")))
      }
    }
    var distinct: [ObjectShape] = []
    for object in known where !distinct.contains(object) { distinct.append(object) }
    return (distinct, reasons)
  }
}

extension SourceValue.ObjectShape {
  /// Whether a value in it, which may be a container, is up to the caller.
  fileprivate var isUpToCaller: Bool {
    members.values.contains { member in
      member.value.dependsOnCaller && !member.value.isWhole
        || member.value.alternatives.contains { value in
          switch value.shape {
          case .object(let object): object.isUpToCaller
          case .list(let elements): elements.contains { $0.dependsOnCaller && !$0.isWhole }
          case .elements(let element): element.dependsOnCaller && !element.isWhole
          default: false
          }
        }
    }
  }
}

extension SourceValue {
  /// Whether every key below it is known.
  var isWhole: Bool {
    switch shape {
    case .literal, .text, .scalar: true
    case .object(let object): object.open == nil && object.members.values.allSatisfy { $0.value.isWhole }
    case .list(let elements): elements.allSatisfy(\.isWhole)
    case .elements(let element): element.isWhole
    case .oneOf(let values): values.allSatisfy(\.isWhole)
    case .enumCase, .instance, .tuple, .type, .open: false
    }
  }
}
