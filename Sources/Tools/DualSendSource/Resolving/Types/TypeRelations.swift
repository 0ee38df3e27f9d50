import SwiftSyntax

/// The inheritance and conformance of types, computed once per type.
final class TypeRelations {
  private let index: DeclarationIndex
  private var ancestors: [TypeReference: [TypeReference]] = [:]
  private var implementations: [TypeReference: [TypeReference]] = [:]
  private var relatives: [TypeReference: [String]] = [:]
  private var related: [Pair: Bool] = [:]
  private var fitting: [String: [Int]] = [:]

  private static let maximumAncestors = 32

  private struct Pair: Hashable {
    let path: String
    let name: String
  }

  init(_ index: DeclarationIndex) {
    self.index = index
  }

  /// A type with its superclasses and protocols, nearest first, including types that these sources do not declare.
  func ancestors(of type: TypeReference) -> [TypeReference] {
    if let known = ancestors[type] { return known }
    var (all, next) = ([type], 0)
    var seen: Set<TypeReference> = [type]
    let file = index.declaration(of: type)?.file ?? -1
    while next < all.count, all.count < Self.maximumAncestors {
      for name in index.inherited(by: all[next]) {
        let found =
          index.type(name, in: all[next].path, file: file)
          ?? TypeReference(path: DeclarationIndex.plain(name), file: nil)
        if seen.insert(found).inserted { all.append(found) }
      }
      next += 1
    }
    ancestors[type] = all
    return all
  }

  /// The concrete types of a protocol or a class.
  func implementations(of type: TypeReference) -> [TypeReference] {
    if let known = implementations[type] { return known }
    let found = index.subtypes(of: type.path).filter { index.declaration(of: $0)?.kind != .contract }
    implementations[type] = found
    return found
  }

  /// The paths of the types that a type may share members with: itself, its ancestors and its subtypes.
  func relatives(of type: TypeReference) -> [String] {
    if let known = relatives[type] { return known }
    var seen: Set<String> = []
    let all = (ancestors(of: type) + index.subtypes(of: type.path)).map(\.path)
    let found = all.filter { seen.insert($0).inserted }
    relatives[type] = found
    return found
  }

  /// Whether two types are equal, or one conforms to or inherits from the other.
  func isRelated(_ type: TypeReference, to name: String) -> Bool {
    let plain = DeclarationIndex.plain(name)
    if type.path == plain || type.path.hasSuffix("." + plain) || plain.hasSuffix("." + type.path) { return true }
    let pair = Pair(path: type.path, name: plain)
    if let known = related[pair] { return known }
    let found =
      index.subtypes(of: plain).contains { $0.path == type.path }
      || index.subtypes(of: type.path).contains { $0.path == plain || $0.path.hasSuffix("." + plain) }
    related[pair] = found
    return found
  }

  /// Whether a type conforms to another one or inherits from it.
  func isSubtype(_ type: TypeReference, of name: String) -> Bool {
    ancestors(of: type).contains { $0.path == name || $0.path.hasSuffix("." + name) }
  }

  /// The functions with a name whose labels match a call.
  func fitting(_ key: String, _ find: () -> [Int]) -> [Int] {
    if let known = fitting[key] { return known }
    let found = find()
    fitting[key] = found
    return found
  }
}

extension Resolver {
  func isRelated(_ type: TypeReference, to name: String) -> Bool { types.isRelated(type, to: name) }
  func relatives(of type: TypeReference) -> [String] { types.relatives(of: type) }
  func implementations(of type: TypeReference) -> [TypeReference] { types.implementations(of: type) }

  /// Whether the type is a value type or a protocol, so that its contents belong to the call.
  func isValueType(_ type: TypeReference) -> Bool {
    index.declaration(of: type).map { [.enumeration, .structure, .contract].contains($0.kind) } ?? false
  }

  /// The full name of a type as written, also as the key of a dictionary.
  func fullType(_ type: String, in owner: String, file: Int) -> String {
    if let (key, value) = type.dictionaryTypes, let full = index.type(key, in: owner, file: file) {
      return "[\(full.path): \(value)]"
    }
    return index.type(type.withoutOptional.trimmingTypeWords, in: owner, file: file)?.path ?? type
  }

  /// The type that an expression names: `A.B` or `Self`.
  func namedType(_ expression: ExprSyntax, _ context: Context, _ state: PathState) -> TypeReference? {
    guard let path = expression.dottedName, state.locals[path.prefix { $0 != "." }.description] == nil else {
      return nil
    }
    return index.type(path == "Self" ? context.owner : path, in: context.owner, file: context.unit.file)
  }

  /// The functions with a name whose labels match a call.
  func fitting(_ call: FunctionCallExprSyntax, _ name: String) -> [Int] {
    types.fitting(fittingKey(call, name)) { index.functions(name).filter { call.fits(index[$0]) } }
  }

  /// The parts of a call that select functions.
  func fittingKey(_ call: FunctionCallExprSyntax, _ name: String) -> String {
    let closures = (call.trailingClosure == nil ? 0 : 1) + call.additionalTrailingClosures.count
    return name + "(" + call.labels.joined(separator: ":") + ")\(closures)"
  }

  /// The functions that a call may mean, by name and, if known, by receiver.
  func candidates(_ name: String, _ receiver: Value?, _ context: Context) -> [Int] {
    guard let receiver else {
      // Functions of enclosing types, innermost first, then global ones.
      var owner = context.owner
      while !owner.isEmpty {
        if let type = index.type(owner, in: "", file: context.unit.file) {
          let own = methods(name, of: type, context)
          if !own.isEmpty { return own }
        }
        owner = owner.lastIndex(of: ".").map { String(owner[..<$0]) } ?? ""
      }
      return index.globals(name, file: context.unit.file).filter { index[$0].kind == .function }
    }
    guard let type = type(of: receiver, in: context) else { return [] }
    let isType = if case .type = receiver { true } else { false }
    return methods(name, of: type, context).filter { index[$0].isStatic == isType }
  }

  private func methods(_ name: String, of type: TypeReference, _ context: Context) -> [Int] {
    types.ancestors(of: type).flatMap { index.members(name, of: $0, file: context.unit.file) }
      .filter { index[$0].kind == .function }
  }

  /// The properties with a name that a type declares or inherits.
  func property(_ name: String, of type: TypeReference, isStatic: Bool, _ context: Context) -> [Int] {
    var requirements: [Int] = []
    for type in types.ancestors(of: type) {
      let found = index.members(name, of: type, file: context.unit.file).filter {
        index[$0].kind == .property && index[$0].isStatic == isStatic
      }
      // An implementation says more than the requirement.
      let strong = found.filter { index[$0].hasBody || index.declaration(of: type)?.kind != .contract }
      if !strong.isEmpty { return strong }
      requirements += found
    }
    return requirements
  }

  /// Whether a subclass may override a called function.
  func isOverridden(_ one: Declaration, _ receiver: Value?) -> Bool {
    if one.isStatic, case .type? = receiver { return false }
    guard !one.isFinal, !one.owner.isEmpty, let type = index.type(one.owner, in: "", file: one.file),
      let kind = index.declaration(of: type)?.kind, kind != .structure, kind != .enumeration
    else { return false }
    return implementations(of: type).contains { other in
      index.members(one.name, of: other, file: one.file).contains {
        index[$0].kind == .function && index[$0].labels == one.labels
      }
    }
  }
}
