/// What all files declare, by name, and the rules of which file sees what.
struct DeclarationIndex: Sendable {
  private var types: [String: [TypeDeclaration]] = [:]
  private var globals: [String: [Declaration]] = [:]
  private var functions: [String: [Owned]] = [:]
  /// The types, by their names, that are made of a type of this name.
  private var heirs: [String: [TypeDeclaration]] = [:]

  /// A function, and the type that it stands in.
  struct Owned: Hashable, Sendable {
    let declaration: Declaration
    let owner: TypeID?
  }

  init(_ files: [FileDeclarations]) {
    for file in files {
      for type in file.types {
        types[type.name, default: []].append(type)
        for name in type.inherited {
          heirs[name.split(separator: ".").last.map(String.init) ?? name, default: []].append(type)
        }
        let owner = TypeID(name: type.name, file: type.isPrivate ? type.place.file : nil)
        for member in type.members where member.kind == .function {
          functions[member.name, default: []].append(Owned(declaration: member, owner: owner))
        }
      }
      for global in file.globals {
        globals[global.name, default: []].append(global)
        if global.kind == .function {
          functions[global.name, default: []].append(Owned(declaration: global, owner: nil))
        }
      }
    }
  }

  /// All functions of a name, wherever they stand.
  func functions(named name: String) -> [Owned] { functions[name] ?? [] }

  /// The type that a name means at a place; `nil` if the sources have none, or several that cannot be told apart.
  ///
  /// - Parameters:
  ///   - name: as it is written, dotted where it names the types around it.
  ///   - context: the type that the place is in, if it is in one.
  func type(_ name: String, in context: String?, file: Int) -> TypeID? {
    var around = context
    while let outer = around {
      if let found = visibleType(outer + "." + name, file: file) { return found }
      around = outer.lastIndex(of: ".").map { String(outer[..<$0]) }
    }
    return visibleType(name, file: file)
  }

  private func visibleType(_ name: String, file: Int, steps: Int = 8) -> TypeID? {
    let declared = (types[name] ?? []).filter { $0.kind != .extended }
    let own = declared.filter { $0.place.file == file }
    let visible = own.isEmpty ? declared.filter { !$0.isPrivate } : own
    guard visible.count == 1, let only = visible.first else { return nil }
    guard only.kind == .alias else {
      return TypeID(name: name, file: only.isPrivate ? only.place.file : nil)
    }
    guard steps > 0, let target = only.inherited.first else { return nil }
    let outer = name.lastIndex(of: ".").map { String(name[..<$0]) }
    if let outer, let found = visibleType(outer + "." + target, file: only.place.file, steps: steps - 1) {
      return found
    }
    return visibleType(target, file: only.place.file, steps: steps - 1)
  }

  /// What a type is declared as.
  func declaration(of type: TypeID) -> TypeDeclaration? {
    types[type.name]?.first { $0.kind != .extended && (type.file == nil ? !$0.isPrivate : $0.place.file == type.file) }
  }

  /// The type's declaration and its extensions, as a file sees them, then those of what it is made of.
  func parts(of type: TypeID, file: Int) -> [TypeDeclaration] {
    var parts: [TypeDeclaration] = []
    var seen: Set<TypeID> = []
    var waiting = [type]
    while let next = waiting.popLast() {
      guard seen.insert(next).inserted else { continue }
      let own = (types[next.name] ?? []).filter { part in
        if part.kind == .extended { return next.file == nil || part.place.file == next.file }
        return next.file == nil ? !part.isPrivate : part.place.file == next.file
      }
      parts += own.sorted { $0.place < $1.place }
      for part in own where part.kind != .alias {
        let outer = next.name.lastIndex(of: ".").map { String(next.name[..<$0]) }
        waiting += part.inherited.compactMap { self.type($0, in: outer, file: part.place.file) }
      }
    }
    return parts
  }

  /// Whether a type, or one that it is made of, is extended or declared with this name in its list.
  func conforms(_ type: TypeID, to name: String, file: Int) -> Bool {
    parts(of: type, file: file).contains { $0.inherited.contains(name) || $0.name == name }
  }

  /// The members of a name: those of the type itself, or of the first type that it is made of and that has some.
  func members(_ name: String, of type: TypeID, file: Int) -> [Declaration] {
    var found: [Declaration] = []
    var owner: String?
    for part in parts(of: type, file: file) {
      // A protocol says that there is one; what it is, the type says, or an extension.
      guard part.kind != .interface, owner == nil || owner == part.name else { continue }
      let here = part.members.filter { $0.name == name && (!$0.isPrivate || $0.place.file == file) }
      if !here.isEmpty { owner = part.name }
      found += here
    }
    return found
  }

  /// The methods of a name, of the type and of all that it is made of: they may be overloads of each other.
  func methods(_ name: String, of type: TypeID, file: Int) -> [Declaration] {
    parts(of: type, file: file).filter { $0.kind != .interface }.flatMap(\.members).filter {
      $0.kind == .function && $0.name == name && (!$0.isPrivate || $0.place.file == file)
    }
  }

  /// The functions of a name that stand in no type, as a file sees them.
  func globalFunctions(_ name: String, file: Int) -> [Declaration] {
    (globals[name] ?? []).filter { $0.kind == .function && (!$0.isPrivate || $0.place.file == file) }
  }

  /// The same of a type that may not be known.
  func members(_ name: String, of type: TypeID?, file: Int) -> [Declaration] {
    type.map { members(name, of: $0, file: file) } ?? []
  }

  /// Whether a type that is made of this one may have a member of its own in this one's place.
  func isRedeclared(_ name: String, below type: TypeID) -> Bool {
    var seen: Set<String> = []
    var waiting = [type.name.split(separator: ".").last.map(String.init) ?? type.name]
    while let next = waiting.popLast() {
      guard seen.insert(next).inserted else { continue }
      for heir in heirs[next] ?? [] {
        // An extension may give it a member, or only a protocol.
        let parts = (types[heir.name] ?? []) + [heir]
        if parts.contains(where: { part in part.members.contains { $0.name == name } }) { return true }
        waiting.append(heir.name.split(separator: ".").last.map(String.init) ?? heir.name)
      }
    }
    return false
  }

  /// Whether somebody says that there is such a member, be it only a protocol.
  func isRequirement(_ name: String, of type: TypeID, file: Int) -> Bool {
    parts(of: type, file: file).contains { part in
      part.kind == .interface && part.members.contains { $0.name == name }
    }
  }

  /// What a name at the top of the files means in a file.
  func globals(_ name: String, file: Int) -> [Declaration] {
    let all = globals[name] ?? []
    let own = all.filter { $0.place.file == file }
    return own.isEmpty ? all.filter { !$0.isPrivate } : own
  }
}
