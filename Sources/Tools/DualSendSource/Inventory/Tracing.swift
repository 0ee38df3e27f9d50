/// Follows calls from the described functions outwards. Functions that pass their parameters on are wrappers, whose
/// calls are searched in turn, until no more are found.
struct Tracing: Sendable {
  private let texts: SourceTexts
  private let index: DeclarationIndex
  private let mentioned: [Set<String>]
  /// The numbers of the declarations of each file.
  private let declarations: [Int: [Int]]
  private let functions: [LoggingFunction]
  private let threads: Int

  /// The limit of nested wrappers.
  private static let maximumRounds = 12
  private static let uncalled = "these sources do not call the function"

  init(texts: SourceTexts, files: [FileFacts], functions: [LoggingFunction], threads: Int) {
    (self.texts, self.functions, self.threads) = (texts, functions, threads)
    index = DeclarationIndex(files, paths: texts.paths)
    mentioned = files.map(\.mentioned)
    declarations = Dictionary(grouping: index.all.indices) { [index] in index[$0].file }
  }

  private typealias Traced = FileTracer.Found

  /// The places, and how messages in Objective-C begin that call wrappers.
  func sites() -> (sites: [CallSite], recall: Recall, steps: Int, objectiveC: Set<String>) {
    var (wrappers, traced, steps) = (WrapperIndex(), [Int: Traced](), 0)
    func trace(_ files: [Int], _ unbound: Set<Int>) {
      for result in self.trace(files, wrappers, unbound) {
        traced.merge(result.files) { $1 }
        steps += result.steps
      }
    }
    var news = Set(functions.map(\.name))
    for _ in 0..<Self.maximumRounds where !news.isEmpty {
      trace(mentioned.indices.filter { !mentioned[$0].isDisjoint(with: news) }, [])
      news = []
      for call in traced.values.flatMap(\.calls) {
        guard let enclosing = call.enclosing else { continue }
        let isNew =
          call.isCallers
          ? wrappers.add(call.offset, in: enclosing, index[enclosing])
          : call.function?.name == index[enclosing].name && wrappers.note(logging: enclosing)
        if isNew { news.insert(index[enclosing].name) }
      }
    }
    // The parameters of a wrapper that is not called can be any values of their types.
    let called = self.called(traced)
    let unbound = Set(wrappers.all.keys).subtracting(called)
    trace(Set(unbound.map { index[$0].file }).sorted(), unbound)
    let found = sites(traced, wrappers.all.filter { unbound.contains($0.key) }, called)
    let relations = TypeReader(index)
    return (
      found.sites, found.recall, steps, Set(wrappers.all.keys.compactMap { objectiveCName(index[$0], relations) })
    )
  }

  /// How a message in Objective-C begins that calls a function; `nil` if none can.
  private func objectiveCName(_ one: Declaration, _ relations: TypeReader) -> String? {
    if let name = one.objectiveCName { return name }
    guard !one.isPrivate, let type = index.type(one.owner, in: "", file: one.file) else { return nil }
    let isSeen = relations.ancestors(of: type).contains { index.declaration(of: $0)?.hasObjectiveCMembers == true }
    return isSeen ? one.name : nil
  }

  /// The wrappers that are called or referenced.
  private func called(_ traced: [Int: Traced]) -> Set<Int> {
    let relations = TypeReader(index)
    let described = Dictionary(grouping: Set(traced.values.flatMap(\.calls).compactMap(\.function)), by: \.name)
    var called: Set<Int> = []
    for result in traced.values {
      for call in result.calls {
        // Recursive calls do not count.
        called.formUnion(call.wrappers.filter { $0 != call.enclosing })
        if let enclosing = call.enclosing, call.isCallers, !called.contains(enclosing),
          described[index[enclosing].name]?.contains(where: { isDescribed(index[enclosing], $0, relations) }) == true
        {
          called.insert(enclosing)
        }
      }
      called.formUnion(result.references.flatMap(\.wrappers))
    }
    return called
  }

  /// Whether a declaration is the described function, or stands beside it with the same labels.
  private func isDescribed(_ one: Declaration, _ function: LoggingFunction, _ relations: TypeReader) -> Bool {
    let owner = TypeReference(path: one.owner, file: nil)
    return one.labels.contains(function.labels)
      && function.type.map { relations.isSubtype(owner, of: $0) } ?? true
  }

  private func trace(
    _ files: [Int], _ wrappers: WrapperIndex, _ unbound: Set<Int>
  ) -> [(files: [Int: Traced], steps: Int)] {
    let rules = functions.reduce(into: [:]) { $0.merge($1.rules) { first, _ in first } }
    // Each thread has its own memo.
    return Threads.map(threads, max(threads, 1)) { group -> (files: [Int: Traced], steps: Int) in
      let resolver = Resolver(index: index, units: UnitStore(texts), rules: rules)
      var results: [Int: Traced] = [:]
      for (number, file) in files.enumerated() where number % max(threads, 1) == group {
        guard let text = texts.text(file) else { continue }
        let own = declarations[file] ?? []
        let tracer = FileTracer(resolver, functions: functions, wrappers: wrappers, declarations: own)
        results[file] = tracer.calls(text, file: file, unbound: unbound)
      }
      return (results, resolver.effort.steps)
    }
  }

  private func sites(
    _ traced: [Int: Traced], _ unbound: [Int: Set<Int>], _ called: Set<Int>
  ) -> (sites: [CallSite], recall: Recall) {
    var (sites, recall): ([CallSite], Recall) = ([], Recall())
    for (file, result) in traced.sorted(by: { $0.key < $1.key }) {
      recall = recall + result.recall
      for call in result.calls {
        // A wrapper's events count for its callers.
        let isFollowed = call.isCallers && call.enclosing.map(called.contains) == true
        if call.function != nil, result.hits.contains(call.name) {
          recall.followed += isFollowed ? 1 : 0
          recall.places += isFollowed ? 0 : 1
        }
        if isFollowed { continue }
        let isUncalled = call.enclosing.flatMap { unbound[$0]?.contains(call.offset) } == true
        let sent = SentEvents(call.shapes, also: isUncalled ? [Self.uncalled] : [])
        let via = Set(call.shapes.map(\.via)).min { ($0.count, $0.joined()) < ($1.count, $1.joined()) }
        sites.append(CallSite(at: call.position, in: texts.paths[file], via: via ?? [], sent))
      }
      for one in result.references {
        sites.append(CallSite(at: one.position, in: texts.paths[file], SentEvents([], also: [one.reason])))
      }
    }
    return (sites, recall)
  }
}

extension CallSite {
  fileprivate init(at position: SourcePosition, in file: String, via: [String] = [], _ sent: SentEvents) {
    self.init(
      file: file, line: position.line, column: position.column, type: position.type, function: position.function,
      via: via, open: sent.open, events: sent.events)
  }
}
