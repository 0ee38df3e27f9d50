/// A type that a name refers to.
struct TypeReference: Sendable, Hashable {
  /// The dotted name.
  let path: String
  /// For a private type, the only file that can use it; for one of several types with this name, its file.
  let file: Int?

  static let string = TypeReference(path: "String", file: nil)
  static let optional = TypeReference(path: "Optional", file: nil)
}

/// All declarations of some sources, by their names. Immutable, and shared by all threads.
struct DeclarationIndex: Sendable {
  let all: [Declaration]
  private let types: [String: [Int]]
  private let members: [String: [String: [Int]]]
  private let cases: [String: [Int]]
  private let conformances: [String: [Int]]
  private let extensions: [String: [Int]]
  /// Functions by their base names.
  private let functions: [String: [Int]]
  /// For the names of types that others declare within them, the names of these.
  private let nesting: [String: Set<String>]
  /// The last names of all types.
  private let typeNames: Set<String>
  /// The names of aliases of optionals.
  let optionalAliases: Set<String>
  /// The folder of each file, by its parts.
  private let folders: [[Substring]]

  init(_ files: [FileFacts], paths: [String]) {
    folders = paths.map { $0.split(separator: "/").dropLast() }
    let all = files.flatMap(\.declarations)
    // An extension of an alias is one of the type.
    let aliases = Dictionary(
      all.filter { $0.kind == .alias && $0.owner.isEmpty }.map { ($0.name, Self.plain($0.type ?? "")) }
    ) { first, _ in first }
    func extended(_ path: String) -> String { aliases[path] ?? path }
    func grouped(_ isWanted: (Declaration) -> Bool, by key: (Declaration) -> String) -> [String: [Int]] {
      Dictionary(grouping: all.indices.filter { isWanted(all[$0]) }) { key(all[$0]) }
    }
    self.all = all
    types = grouped(\.kind.isType, by: \.path)
    members = grouped({ $0.kind != .extending }, by: { extended($0.owner) }).mapValues {
      Dictionary(grouping: $0) { all[$0].name }
    }
    cases = grouped({ $0.kind == .enumCase }, by: \.owner)
    extensions = grouped({ $0.kind == .extending }, by: { extended($0.name) })
    functions = grouped({ $0.kind == .function }, by: \.name)
    conformances = all.indices.reduce(into: [:]) { found, number in
      for name in all[number].inherited { found[Self.plain(name), default: []].append(number) }
    }
    typeNames = Set(types.keys.map(Self.last))
    optionalAliases = Set(all.filter { $0.kind == .alias && $0.type?.isOptionalType == true }.map(\.name))
    nesting = all.filter { $0.kind.isType && !$0.owner.isEmpty }.reduce(into: [:]) { found, one in
      found[one.name, default: []].insert(Self.last(one.owner))
    }
  }

  subscript(number: Int) -> Declaration { all[number] }

  /// All functions with a name.
  func functions(_ name: String) -> [Int] { functions[name] ?? [] }

  /// A type's name without `any`, `some`, generic arguments and spaces.
  static func plain(_ type: String) -> String {
    String(type.trimmingTypeWords.prefix { $0 != "<" }.filter { $0 != " " })
  }

  /// The type that a name refers to in a scope; `nil` if there is none or more than one.
  func type(_ name: String, in scope: String, file: Int) -> TypeReference? {
    behindAliases(name, in: scope, file: file).number.map { reference(all[$0]) }
  }

  /// The name that a type's name stands for, through aliases; `nil` for several possible ones.
  func aliased(_ name: String, in scope: String, file: Int) -> String? {
    let found = behindAliases(name, in: scope, file: file).name
    return isAmbiguous(found) ? nil : found
  }

  private func behindAliases(_ name: String, in scope: String, file: Int) -> (name: String, number: Int?) {
    var name = Self.plain(name)
    for _ in 0..<8 {
      guard let found = declared(name, in: scope, file: file) else { break }
      guard all[found].kind == .alias, let meant = all[found].type else { return (name, found) }
      name = Self.plain(meant)
    }
    return (name, nil)
  }

  private func reference(_ one: Declaration) -> TypeReference {
    let isNamed = one.isPrivate || visible(one.path).count > 1
    return TypeReference(path: one.path, file: isNamed ? one.file : nil)
  }

  private func visible(_ path: String) -> [Int] { (types[path] ?? []).filter { !all[$0].isPrivate } }

  /// The one of several types with one name that a file sees. They are those of several modules, and a file sees its own
  /// module's: of a package, the one in the same folder of `Sources`; else the one in the nearest folder, if others cannot be
  /// imported.
  private func ofModule(_ numbers: [Int], seenFrom file: Int) -> Int? {
    if numbers.count == 1 { return numbers[0] }
    guard folders.indices.contains(file), !numbers.contains(where: { all[$0].isConditional }) else { return nil }
    let folder = folders[file]
    func module(_ folder: [Substring]) -> ArraySlice<Substring>? {
      folder.lastIndex(of: "Sources").flatMap { $0 + 1 < folder.count ? folder[...($0 + 1)] : nil }
    }
    let ranked = numbers.map { number -> (number: Int, shared: Int) in
      let other = folders[all[number].file]
      guard module(other) == module(folder) else { return (number, -1) }
      return (number, zip(folder, other).prefix { $0 == $1 }.count)
    }
    guard let nearest = ranked.map(\.shared).max(), nearest >= 0 else { return nil }
    let found = ranked.filter { $0.shared == nearest }.map(\.number)
    let others = numbers.filter { !found.contains($0) }
    let isSure = module(folder) != nil || !others.contains { all[$0].isPublic }
    return found.count == 1 && isSure ? found[0] : nil
  }

  /// Whether a member or a conformance, which is declared in some file, is one of a type.
  private func isOf(_ type: TypeReference, _ one: Declaration) -> Bool {
    guard let own = type.file else { return visible(type.path).count < 2 }
    if one.file == own { return true }
    let all = visible(type.path)
    return all.count > 1 && ofModule(all, seenFrom: one.file).map { self.all[$0].file } == own
  }

  private func declared(_ name: String, in scope: String, file: Int, depth: Int = 0) -> Int? {
    guard !name.isEmpty, depth < 8 else { return nil }
    let first = String(name.prefix { $0 != "." })
    var around = scope.split(separator: ".").map(String.init)
    while true {
      let path = (around + [name]).joined(separator: ".")
      if let numbers = types[path] {
        let own = numbers.filter { all[$0].isPrivate && all[$0].file == file }
        let visible = numbers.filter { !all[$0].isPrivate }
        if !own.isEmpty { return own.count == 1 && visible.isEmpty ? own[0] : nil }
        if !visible.isEmpty { return ofModule(visible, seenFrom: file) }
      }
      if around.isEmpty { break }
      let outer = around.joined(separator: ".")
      // A type that the caller or the conforming type chooses.
      if types[outer]?.contains(where: { all[$0].generics.contains(first) }) == true { return nil }
      if let found = inherited(name, by: outer, file: file, depth: depth + 1) { return found }
      around.removeLast()
    }
    // The name may start with that of a module.
    guard let dot = name.firstIndex(of: "."), types[String(name[..<dot])] == nil else { return nil }
    return declared(String(name[name.index(after: dot)...]), in: "", file: file)
  }

  /// A type's name without the types around it.
  static func last(_ path: String) -> String {
    path.lastIndex(of: ".").map { String(path[path.index(after: $0)...]) } ?? path
  }

  /// A type that a superclass or a protocol of another one declares within it.
  private func inherited(_ name: String, by path: String, file: Int, depth: Int) -> Int? {
    guard let owners = nesting[String(name.prefix { $0 != "." })], depth < 8 else { return nil }
    let parents = ((types[path] ?? []) + (extensions[path] ?? [])).flatMap { all[$0].inherited }.map(Self.plain)
    let scope = path.lastIndex(of: ".").map { String(path[..<$0]) } ?? ""
    return parents.lazy.filter { owners.contains(Self.last($0)) }.compactMap { parent in
      self.declared(parent + "." + name, in: scope, file: file, depth: depth + 1)
    }.first
  }

  /// The declaration of a type.
  func declaration(of type: TypeReference) -> Declaration? {
    let found = type.file == nil ? visible(type.path) : (types[type.path] ?? []).filter { all[$0].file == type.file }
    return found.count == 1 ? all[found[0]] : nil
  }

  /// The members with a name that a type or its extensions declare, as visible in a file.
  func members(_ name: String, of type: TypeReference, file: Int) -> [Int] {
    (members[type.path]?[name] ?? []).filter { number in
      let one = all[number]
      guard isOf(type, one), !one.isPrivate || one.file == file || one.file == type.file else { return false }
      if type.file != nil { return true }
      // Excludes members of another type with this name, which is private to its file.
      return !(types[type.path] ?? []).contains { all[$0].isPrivate && all[$0].file == one.file }
    }
  }

  /// The top-level declarations of files.
  func globals(_ name: String, file: Int) -> [Int] {
    let found = members[""]?[name] ?? []
    let own = found.filter { all[$0].isPrivate && all[$0].file == file }
    return own.isEmpty ? found.filter { !all[$0].isPrivate } : own
  }

  /// The cases of an enum, in order.
  func cases(of type: TypeReference) -> [Int] {
    (cases[type.path] ?? []).filter { type.file == nil ? !all[$0].isPrivate : all[$0].file == type.file }
  }

  /// The types that a type inherits from or conforms to, in its declaration or in extensions.
  func inherited(by type: TypeReference) -> [String] {
    let own = declaration(of: type)?.inherited ?? []
    let more = (extensions[type.path] ?? []).filter { isOf(type, all[$0]) }.flatMap { all[$0].inherited }
    return own + more
  }

  /// The types that conform to a protocol or inherit from a class, directly or indirectly. Its name may also be written
  /// without the types around it.
  func subtypes(of path: String) -> [TypeReference] {
    let names = [path, Self.last(path)]
    var (found, waiting, seen): ([TypeReference], [String], Set<String>) = ([], names, Set(names))
    while let next = waiting.popLast() {
      for number in conformances[next] ?? [] {
        let one = all[number]
        let path = one.kind == .extending ? one.name : one.path
        guard seen.insert(path).inserted else { continue }
        waiting += [path, Self.last(path)]
        let named = visible(path).count > 1 ? ofModule(visible(path), seenFrom: one.file) : nil
        found.append(
          named.map { reference(all[$0]) } ?? TypeReference(path: path, file: one.isPrivate ? one.file : nil))
      }
    }
    return found
  }

  /// Whether a type or its extensions declare anything.
  func hasMembers(_ type: TypeReference) -> Bool { members[type.path]?.isEmpty == false }

  /// The properties of the values of a type that are stored, in order.
  func storedProperties(of type: TypeReference) -> [Declaration] {
    properties(of: type).map { all[$0] }.filter { !$0.isStatic && !$0.hasBody }
  }

  /// Whether these sources extend a type of this name without declaring it.
  func isExtended(_ name: String) -> Bool { types[name] == nil && members[name] != nil }

  /// Whether these sources declare a type with this last name, or a value of no type.
  func isDeclared(_ name: String) -> Bool { typeNames.contains(name) || members[""]?[name] != nil }

  /// Whether several types have this name.
  func isAmbiguous(_ name: String) -> Bool { (types[Self.plain(name)]?.count ?? 0) > 1 }

  /// The properties of a type, in order.
  func properties(of type: TypeReference) -> [Int] {
    (members[type.path] ?? [:]).values.flatMap { $0 }.filter { number in
      let one = all[number]
      return one.kind == .property && (type.file == nil || one.file == type.file) && !(one.isExtending && !one.hasBody)
    }.sorted()
  }
}
