import DualSendInventory
import SwiftParser
import SwiftSyntax

/// Follows calls from the described functions outwards: functions that hand their parameters on become functions whose
/// calls are looked for, until there are no more of them.
struct Tracing: Sendable {
  private let texts: SourceTexts
  private let index: DeclarationIndex
  private let mentioned: [Set<String>]
  private let declarations: [[Int]]
  private let functions: [LoggingFunction]
  private let threads: Int

  /// How many wrappers deep calls are looked for.
  private static let maximumRounds = 12

  init(texts: SourceTexts, files: [FileFacts], functions: [LoggingFunction], threads: Int) {
    (self.texts, self.functions, self.threads) = (texts, functions, threads)
    index = DeclarationIndex(files)
    mentioned = files.map(\.mentioned)
    var declarations = [[Int]](repeating: [], count: files.count)
    for (number, one) in index.all.enumerated() { declarations[one.file].append(number) }
    self.declarations = declarations
  }

  private struct Traced: Sendable {
    var calls: [FoundCall] = []
    var references: [HandedOn] = []
    var recall = Recall()
    /// Where the names of described functions stand as calls of something else.
    var others: Set<Int> = []
  }

  func sites(skipped: Set<String>) -> (sites: [WrittenSite], recall: Recall) {
    var wrappers: [Int: Wrapper] = [:]
    var traced: [Int: Traced] = [:]
    var news = Set(functions.map(\.name))
    for _ in 0..<Self.maximumRounds {
      for (file, result) in trace(mentioned.indices.filter { !mentioned[$0].isDisjoint(with: news) }, wrappers, []) {
        traced[file] = result
      }
      news = []
      for call in traced.values.flatMap(\.calls) where call.isCallers {
        guard let enclosing = call.enclosing else { continue }
        if wrappers[enclosing]?.calls.contains(call.offset) == true { continue }
        wrappers[enclosing, default: Wrapper(declaration: enclosing, calls: [])].calls.insert(call.offset)
        news.insert(index[enclosing].name)
      }
      if news.isEmpty { break }
    }
    // What no call leads to is taken for any value of its types.
    let called = self.called(traced)
    let unbound = Set(wrappers.keys).subtracting(called)
    let affected = Set(unbound.map { index[$0].file })
    for (file, result) in trace(affected.sorted(), wrappers, unbound) { traced[file] = result }
    return sites(traced, wrappers.filter { unbound.contains($0.key) }, called)
  }

  /// The declarations that names and keys stand in, and where else they are named.
  func declared(_ sites: [WrittenSite]) -> [WrittenSite.Text: DeclaredText] {
    var found: [WrittenSite.Text: Int] = [:]
    for text in sites.flatMap(\.events).flatMap({ [$0.nameText] + $0.keys.map(\.text) }).compactMap({ $0 })
    where found[text] == nil {
      found[text] = declarations[text.file].first { number in
        let one = index[number]
        guard one.kind == .enumCase || one.kind == .property, one.range.contains(text.range.lowerBound) else {
          return false
        }
        return one.kind == .enumCase || one.value == text.range
      }
    }
    let names = Dictionary(grouping: found.values) { index[$0].name }
    let uses = Threads.map(threads, texts.paths.count) { file -> [Int: [DeclaredText.Use]] in
      guard !names.keys.allSatisfy({ !mentioned[file].contains($0) }), let text = texts.text(file) else { return [:] }
      return QualifiedNames.uses(of: names, in: text, file: file, index)
    }
    let read = QualifiedNames.readRawValues(Set(found.values.map { index[$0].owner }), texts)
    return found.mapValues { number in
      let one = index[number]
      let type = index.declarationOfType(one.owner)
      let isCoded = one.kind == .enumCase && (type?.inherited ?? []).contains { $0.contains("odable") }
      let isRead = read.types.contains(one.owner) && read.literals.contains(one.rawText ?? "")
      return DeclaredText(name: one.path, isCoded: isCoded || isRead, uses: uses.flatMap { $0[number] ?? [] })
    }
  }

  /// The wrappers that are called or handed on.
  private func called(_ traced: [Int: Traced]) -> Set<Int> {
    var called: Set<Int> = []
    let described = Set(traced.values.flatMap(\.calls).compactMap(\.function))
    for result in traced.values {
      for call in result.calls {
        // A function that only calls itself is called by nobody.
        called.formUnion(call.wrappers.filter { $0 != call.enclosing })
        if let enclosing = call.enclosing, call.isCallers, described.contains(where: { isDescribed(enclosing, $0) }) {
          called.insert(enclosing)
        }
      }
      called.formUnion(result.references.flatMap(\.wrappers))
    }
    return called
  }

  /// Whether a declaration is the described function, or stands beside it with the same labels.
  private func isDescribed(_ number: Int, _ function: LoggingFunction) -> Bool {
    let one = index[number]
    return one.name == function.name && one.labels.contains(function.labels)
      && (function.type.map { one.owner == $0 || one.owner.hasSuffix("." + $0) || index.isSubtype(one.owner, of: $0) }
        ?? true)
  }

  private func trace(_ files: [Int], _ wrappers: [Int: Wrapper], _ unbound: Set<Int>) -> [(Int, Traced)] {
    let rules = functions.reduce(into: [:]) { $0.merge($1.rules) { first, _ in first } }
    let all = wrappers.values.sorted { $0.declaration < $1.declaration }
    let names = Set(functions.map(\.name))
    // Every thread remembers what it has worked out.
    let groups = (0..<max(threads, 1)).map { group in
      files.enumerated().filter { $0.offset % max(threads, 1) == group }.map(\.element)
    }
    return Threads.map(threads, groups.count) { group -> [(Int, Traced)] in
      let resolver = Resolver(index: index, units: UnitStore(texts), rules: rules)
      return groups[group].map { file in
        guard let text = texts.text(file) else { return (file, Traced()) }
        let tracer = FileTracer(resolver, functions: functions, wrappers: all, declarations: declarations[file])
        resolver.forgetTrees()
        let found = tracer.calls(text, file: file, unbound: unbound)
        var result = Traced(calls: found.calls, references: found.references)
        let hits = Recall.search(text, for: names)
        result.recall.hits = hits.count
        result.recall.others = found.others.intersection(hits).count
        result.recall.uncalled = Set(hits).subtracting(found.called).count
        return (file, result)
      }
    }.flatMap { $0 }
  }

  private func sites(_ traced: [Int: Traced], _ unbound: [Int: Wrapper], _ called: Set<Int>) -> (
    sites: [WrittenSite], recall: Recall
  ) {
    var (sites, recall): ([WrittenSite], Recall) = ([], Recall())
    for file in traced.keys.sorted() {
      guard let result = traced[file] else { continue }
      recall = recall + result.recall
      let path = texts.paths[file]
      for call in result.calls {
        let isDirect = call.function != nil
        // What a wrapper logs, its callers log.
        if call.isCallers, let enclosing = call.enclosing, called.contains(enclosing) {
          if isDirect { recall.followed += 1 }
          continue
        }
        if isDirect { recall.places += 1 }
        var more: Set<String> = []
        if let enclosing = call.enclosing, unbound[enclosing]?.calls.contains(call.offset) == true {
          more.insert(SourceInventory.nobodyCalls)
        }
        if let obstacle = call.obstacle { more.insert(obstacle) }
        sites.append(WrittenSite(call, CallSite(call, in: path, also: more)))
      }
      for one in result.references {
        let site = CallSite(
          certainty: .dynamic, file: path, line: one.standpoint.line, column: one.standpoint.column,
          type: one.standpoint.type, function: one.standpoint.function, open: [one.reason])
        sites.append(WrittenSite(site, naming: one.name))
      }
    }
    return (sites, recall)
  }
}

extension CallSite {
  fileprivate init(_ call: FoundCall, in file: String, also more: Set<String>) {
    let sent = SentEvents(call.shapes, also: more)
    let ways = Set(call.shapes.map(\.via))
    self.init(
      certainty: sent.certainty, file: file, line: call.standpoint.line, column: call.standpoint.column,
      type: call.standpoint.type, function: call.standpoint.function,
      via: ways.min { ($0.count, $0.joined()) < ($1.count, $1.joined()) } ?? [], open: sent.open, events: sent.events)
  }
}

/// Finds names that stand behind their type's.
enum QualifiedNames {
  /// The enums whose cases are made of texts, and the texts that stand where their files are read.
  static func readRawValues(_ owners: Set<String>, _ texts: SourceTexts) -> (types: Set<String>, literals: Set<String>)
  {
    var (types, literals): (Set<String>, Set<String>) = ([], [])
    let names = owners.map { (owner: $0, call: ($0.split(separator: ".").last ?? "") + "(rawValue:") }
    for file in texts.paths.indices {
      guard let text = texts.text(file), text.contains("(rawValue:") else { continue }
      for name in names where text.contains(name.call) { types.insert(name.owner) }
    }
    guard !types.isEmpty else { return (types, literals) }
    for file in texts.paths.indices {
      for line in (texts.text(file) ?? "").split(separator: "\n") where !line.contains("case ") {
        for (number, part) in line.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
        where number % 2 == 1 {
          literals.insert(String(part))
        }
      }
    }
    return (types, literals)
  }

  static func uses(
    of names: [String: [Int]], in text: String, file: Int, _ index: DeclarationIndex
  ) -> [Int: [DeclaredText.Use]] {
    let words = text.utf8.split(omittingEmptySubsequences: true) { byte in
      !(byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".") || byte > 127
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20))
    }
    var found: [Int: [DeclaredText.Use]] = [:]
    for word in words where word.contains(UInt8(ascii: ".")) {
      let parts = word.split(separator: UInt8(ascii: "."))
      for (type, name) in zip(parts, parts.dropFirst()) {
        for number in names[String(decoding: name, as: UTF8.self)] ?? [] {
          let owner = index[number].owner.split(separator: ".").last.map(String.init) ?? ""
          guard owner == String(decoding: type, as: UTF8.self) else { continue }
          let offset = text.utf8.distance(from: text.utf8.startIndex, to: word.startIndex)
          found[number, default: []].append(.init(file: file, offset: offset))
        }
      }
    }
    return found
  }
}
