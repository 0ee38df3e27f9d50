import SwiftSyntax

/// The types of some sources: how they are related, what they declare, and their values. Relations are worked out once.
final class TypeReader {
  let index: DeclarationIndex
  private var ancestors: [TypeReference: [TypeReference]] = [:]
  private var implementations: [TypeReference: [TypeReference]] = [:]
  private var relatives: [TypeReference: [String]] = [:]
  private var related: [[String]: Bool] = [:]
  private var fitting: [String: [Int]] = [:]
  /// The standard types that hold values, and the app's protocols that they conform to.
  private lazy var standardOwners = Self.standardTypes.union(
    Self.standardTypes.flatMap { ancestors(of: .init(path: $0, file: nil)).map(\.path) })

  static let standardTypes: Set<String> = [
    "String", "Substring", "StringProtocol", "Array", "Dictionary", "Optional", "Sequence", "Collection",
    "BidirectionalCollection", "MutableCollection", "RandomAccessCollection", "RangeReplaceableCollection",
  ]
  /// Protocols and classes of libraries that add no values.
  private static let plainTypes: Set<String> = [
    "String", "Int", "Sendable", "Hashable", "Equatable", "Comparable", "Codable", "Decodable", "Encodable", "Error",
    "CaseIterable", "Identifiable", "RawRepresentable", "CustomStringConvertible", "AnyObject", "NSObject",
  ]
  private static let maximumAncestors = 32

  init(_ index: DeclarationIndex) {
    self.index = index
  }

  // MARK: relations

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
    let found = (ancestors(of: type) + index.subtypes(of: type.path)).map(\.path).filter { seen.insert($0).inserted }
    relatives[type] = found
    return found
  }

  /// Whether two types are equal, or one conforms to or inherits from the other.
  func isRelated(_ type: TypeReference, to name: String) -> Bool {
    let plain = DeclarationIndex.plain(name)
    if type.path == plain || type.path.hasSuffix("." + plain) || plain.hasSuffix("." + type.path) { return true }
    if let known = related[[type.path, plain]] { return known }
    let found =
      index.subtypes(of: plain).contains { $0.path == type.path }
      || index.subtypes(of: type.path).contains { $0.path == plain || $0.path.hasSuffix("." + plain) }
    related[[type.path, plain]] = found
    return found
  }

  /// Whether a type conforms to another one or inherits from it.
  func isSubtype(_ type: TypeReference, of name: String) -> Bool {
    ancestors(of: type).contains { $0.path == name || $0.path.hasSuffix("." + name) }
  }

  /// Whether the type is a value type or a protocol, so that its contents belong to the call.
  func isValueType(_ type: TypeReference) -> Bool {
    index.declaration(of: type).map { [.enumeration, .structure, .contract].contains($0.kind) } ?? false
  }

  /// Whether a value of the type may be one of another type: of a protocol, or of a class with subclasses.
  func hasSubtypes(_ type: TypeReference) -> Bool {
    switch index.declaration(of: type)?.kind {
    case .contract?: true
    case .reference?: !implementations(of: type).isEmpty
    default: false
    }
  }

  /// Whether it is a class whose objects only have the values that they are created with: a class of its own, or of
  /// `NSObject`, with constants alone.
  func isRecord(_ type: TypeReference, _ properties: [Declaration]) -> Bool {
    index.declaration(of: type)?.kind == .reference && !properties.isEmpty && properties.allSatisfy(\.isConstant)
      && ancestors(of: type).dropFirst().allSatisfy {
        index.declaration(of: $0)?.kind == .contract || Self.plainTypes.contains($0.path)
      }
  }

  /// The class whose initializers and properties an object has: of a subclass that declares nothing, its superclass.
  func model(of type: TypeReference) -> TypeReference {
    guard index.declaration(of: type)?.kind == .reference, !index.hasMembers(type),
      let parent = ancestors(of: type).dropFirst().first, index.declaration(of: parent)?.kind == .reference
    else { return type }
    return model(of: parent)
  }

  // MARK: names

  /// The type that a name refers to at a point of the code.
  func named(_ name: String, _ state: PathState) -> TypeReference? {
    index.type(name, in: state.owner, file: state.unit.file)
  }

  /// The type that an expression names: `A.B` or `Self`.
  func named(_ expression: ExprSyntax, _ state: PathState) -> TypeReference? {
    guard let path = expression.dottedName, !state.isLocal(path) else { return nil }
    return named(path == "Self" ? state.owner : path, state)
  }

  /// The enclosing types at a point of the code, innermost first.
  func around(_ state: PathState) -> some Sequence<TypeReference> {
    let names = sequence(first: state.owner) { inner in inner.lastIndex(of: ".").map { String(inner[..<$0]) } }
    return names.lazy.filter { !$0.isEmpty }.compactMap { self.index.type($0, in: "", file: state.unit.file) }
  }

  /// The type that `Self` refers to; `nil` if it may be a subtype.
  func ownType(_ state: PathState) -> TypeReference? {
    let own: TypeReference?
    switch state.locals["self"] {
    case .type(let type)?: return type
    case .instance(let type)?, .enumCase(let type, _, _)?: own = type
    case .object(let object)?: own = object.type
    default: own = index.type(state.owner, in: "", file: state.unit.file)
    }
    return own.flatMap { hasSubtypes($0) ? nil : $0 }
  }

  /// The type of which `.x` is a member: the expected one, which these sources may only extend.
  func implicit(_ expected: String?, _ state: PathState) -> TypeReference? {
    guard let plain = expected?.withoutOptional.trimmingTypeWords else { return nil }
    if plain == "Self" { return ownType(state) }
    return named(plain, state) ?? (index.isExtended(plain) ? TypeReference(path: plain, file: nil) : nil)
  }

  /// The full name of a type as written, also as the key of a dictionary.
  func full(_ type: String, _ one: Declaration) -> String {
    if let (key, value) = type.dictionaryTypes, let full = index.type(key, in: one.owner, file: one.file) {
      return "[\(full.path): \(value)]"
    }
    return index.type(type.withoutOptional.trimmingTypeWords, in: one.owner, file: one.file)?.path ?? type
  }

  // MARK: values of a type

  /// Any value of a type, as a declaration writes it.
  func value(_ text: String, _ one: Declaration) -> Value { value(text, in: one.owner, file: one.file) }

  /// Any value of a type, as written in the source.
  func value(_ text: String, in owner: String, file: Int) -> Value {
    if text.isOptionalType { return .either([value(text.withoutOptional, in: owner, file: file), .null]) }
    let plain = text.trimmingTypeWords
    switch plain {
    case "String", "Substring", "StaticString": return .scalar(.string)
    case "Int", "Int64", "Int32", "UInt", "Int8", "Int16", "UInt8", "UInt16", "UInt32", "UInt64": return .scalar(.int)
    case "Double", "Float", "CGFloat", "TimeInterval", "Foundation.TimeInterval": return .scalar(.double)
    case "Bool": return .scalar(.bool)
    case "Date": return .scalar(.date)
    case "Any", "Self", "": return .unknown("any value")
    default: break
    }
    if plain.dictionaryTypes != nil { return .dictionary(.init(open: "any `\(plain)`")) }
    if let element = plain.elementType { return .elements(value(element, in: owner, file: file)) }
    if let type = index.type(plain, in: owner, file: file) { return .instance(type) }
    if index.isAmbiguous(plain) { return .unknown("there are several types `\(plain)`") }
    return plain.contains("->") ? .unknown("a closure") : .scalar(.unknown)
  }

  /// The type of a value; `nil` if it is unknown.
  func type(of value: Value, _ state: PathState) -> TypeReference? {
    switch value {
    case .enumCase(let type, _, _), .instance(let type), .type(let type): return type
    case .object(let object): return object.type
    case .parameter(_, let text):
      let plain = text.withoutOptional.trimmingTypeWords
      return named(plain, state) ?? (plain == "String" ? .string : nil)
    case .oneOf(let all):
      let types = Set(all.filter { $0 != .null }.map { type(of: $0, state) })
      return types.count == 1 ? types.first ?? nil : nil
    case .text, .pattern, .scalar(.string): return .string
    case .dictionary: return TypeReference(path: "Dictionary", file: nil)
    default: return nil
    }
  }

  /// Every value of a type; for an enum, each case.
  func expanded(_ value: Value) -> [Value] {
    guard case .instance(let type) = value, index.declaration(of: type)?.kind == .enumeration else { return [value] }
    let cases = index.cases(of: type).map { index[$0] }
    return cases.isEmpty
      ? [value]
      : cases.map { one in
        .enumCase(type, one.name, one.parameters.map { .init(name: $0.name, value: self.value($0.type, one)) })
      }
  }

  // MARK: members

  /// The members with a name that a type itself declares, of one kind, as a point of the code sees them.
  func own(_ name: String, _ kind: Declaration.Kind, of type: TypeReference, _ state: PathState) -> [Int] {
    index.members(name, of: type, file: state.unit.file).filter { index[$0].kind == kind }
  }

  /// The properties with a name that a type declares or inherits.
  func property(_ name: String, of type: TypeReference, isStatic: Bool, _ state: PathState) -> [Int] {
    var requirements: [Int] = []
    for type in ancestors(of: type) {
      let found = own(name, .property, of: type, state).filter { index[$0].isStatic == isStatic }
      // An implementation says more than the requirement.
      let strong = found.filter { index[$0].hasBody || index.declaration(of: type)?.kind != .contract }
      if !strong.isEmpty { return strong }
      requirements += found
    }
    return requirements
  }

  /// The properties with a name of a type or of its values.
  func anyProperty(_ name: String, of type: TypeReference, _ state: PathState) -> [Int] {
    [false, true].flatMap { property(name, of: type, isStatic: $0, state) }
  }

  /// The functions that a call may mean, by name and, if known, by receiver.
  func candidates(_ name: String, _ receiver: Value?, _ state: PathState) -> [Int] {
    func methods(_ type: TypeReference) -> [Int] { ancestors(of: type).flatMap { own(name, .function, of: $0, state) } }
    guard let receiver else {
      // Functions of enclosing types, innermost first, then global ones.
      return around(state).lazy.map(methods).first { !$0.isEmpty }
        ?? index.globals(name, file: state.unit.file).filter { index[$0].kind == .function }
    }
    let isType = if case .type = receiver { true } else { false }
    return type(of: receiver, state).map(methods)?.filter { index[$0].isStatic == isType } ?? []
  }

  /// The functions with a name whose labels match a call.
  func fitting(_ call: FunctionCallExprSyntax, _ name: String) -> [Int] {
    let closures = (call.trailingClosure == nil ? 0 : 1) + call.additionalTrailingClosures.count
    let key = name + "(" + call.labels.joined(separator: ":") + ")\(closures)"
    if let known = fitting[key] { return known }
    let found = index.functions(name).filter { call.fits(index[$0]) }
    fitting[key] = found
    return found
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

  // MARK: what an app declares in place of the standard library

  /// Whether the app declares a function that a call on a text, a collection or an optional may mean.
  func isOwn(_ name: String, _ call: FunctionCallExprSyntax) -> Bool {
    index.functions(name).contains { standardOwners.contains(index[$0].owner) && call.fits(index[$0]) }
  }

  /// Whether the app declares an operator that may be meant between values of these types, which have no dots.
  func isOwnOperator(_ name: String, of types: Set<String> = TypeReader.standardTypes) -> Bool {
    index.functions(name).contains { number in
      let one = index[number]
      let sides = one.parameters.map { DeclarationIndex.plain($0.type.withoutOptional) }
      return sides.map { $0 == "Self" ? one.owner : $0 }.allSatisfy { side in
        types.contains(DeclarationIndex.last(side)) || one.generics.contains(side)
          || (types.contains("Array") && side.hasPrefix("[") && side.topLevelColon == nil)
      }
    }
  }

  /// Whether a declared type is an optional, or may hide one.
  func isOptional(_ type: String?) -> Bool {
    type.map { $0.isOptionalType || $0 == "Any" || index.optionalAliases.contains($0) } ?? false
  }
}
