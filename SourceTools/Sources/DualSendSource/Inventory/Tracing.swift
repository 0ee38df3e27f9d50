import DualSendInventory

/// A place that logs, and its event, if the place itself writes it down.
struct FoundCall: Sendable {
  let site: CallSite
  let literal: LiteralCall?
}

/// Follows calls to what logs from the logger outwards: functions that hand their parameters on become functions whose
/// calls are looked for, until there are no more of them.
struct Tracing: Sendable {
  private let texts: SourceTexts
  private let index: DeclarationIndex
  private let mentioned: [Set<String>]
  private let functions: [LoggingFunction]
  private let threads: Int
  private let writesOut: Bool

  /// How many wrappers deep calls are looked for.
  private static let maximumRounds = 12

  init(texts: SourceTexts, files: [FileDeclarations], functions: [LoggingFunction], threads: Int, writesOut: Bool) {
    self.writesOut = writesOut
    self.texts = texts
    index = DeclarationIndex(files)
    mentioned = files.map(\.mentioned)
    self.functions = functions
    self.threads = threads
  }

  func callSites() -> [FoundCall] {
    let logging = Set(functions.map(\.name))
    var wrappers: Set<Wrapper> = []
    var traced: [Int: TracedFile] = [:]
    var news = logging
    for _ in 0..<Self.maximumRounds {
      let affected = mentioned.indices.filter { !mentioned[$0].isDisjoint(with: news) }
      let known = Dictionary(grouping: wrappers.sorted(), by: \.declaration.name)
      let found = trace(affected, known)
      for (file, result) in zip(affected, found) { traced[file] = result }
      let all = Set(
        traced.values.flatMap(\.calls).compactMap { call in
          call.events.dependsOnCaller ? call.enclosing : nil
        })
      let added = all.subtracting(wrappers)
      if added.isEmpty { break }
      wrappers.formUnion(added)
      news = Set(added.map(\.declaration.name))
    }
    return sites(traced, wrappers)
  }

  private func trace(_ files: [Int], _ wrappers: [String: [Wrapper]]) -> [TracedFile] {
    // Whole runs of files to one evaluator, which keeps the trees that it needed last.
    let runs = stride(from: 0, to: files.count, by: Self.filesPerRun).map {
      Array(files[$0..<min($0 + Self.filesPerRun, files.count)])
    }
    return Threads.map(threads, runs.count) { number in
      let tracer = CallTracer(
        evaluator: Evaluator(index: index, sources: SourceStore(texts)), functions: functions, wrappers: wrappers,
        writesOut: writesOut)
      return runs[number].map { tracer.trace($0) ?? TracedFile() }
    }.flatMap { $0 }
  }

  private static let filesPerRun = 16

  private func sites(_ traced: [Int: TracedFile], _ wrappers: Set<Wrapper>) -> [FoundCall] {
    let called = Set(traced.values.flatMap(\.calls).flatMap(\.wrappers))
      .union(traced.values.flatMap(\.handedOn).flatMap(\.wrappers))
    let files = traced.keys.sorted()
    return files.flatMap { file -> [FoundCall] in
      guard let result = traced[file] else { return [] }
      let calls = result.calls.filter { call in
        // What a wrapper logs, its callers log.
        guard call.events.dependsOnCaller, let enclosing = call.enclosing else { return true }
        return !called.contains(enclosing)
      }
      let path = texts.paths[file]
      return calls.map { FoundCall(site: CallSite($0, in: path), literal: $0.literal) }
        + result.handedOn.map { FoundCall(site: CallSite($0, in: path), literal: nil) }
    }
  }
}

extension Wrapper: Comparable {
  static func < (left: Wrapper, right: Wrapper) -> Bool {
    left.declaration.place < right.declaration.place
  }
}

extension CallSite {
  fileprivate init(_ call: TracedFile.Call, in file: String) {
    var events = call.events
    if events.dependsOnCaller, call.enclosing != nil {
      events.reasons.insert(SourceInventory.nobodyCalls)
    }
    let sent = SentEvents(events)
    self.init(
      certainty: sent.certainty, file: file, line: call.standpoint.line, column: call.standpoint.column,
      type: call.standpoint.type, function: call.standpoint.function, via: events.via, open: sent.open,
      events: sent.events)
  }

  fileprivate init(_ handedOn: HandedOn, in file: String) {
    self.init(
      certainty: .dynamic, file: file, line: handedOn.standpoint.line, column: handedOn.standpoint.column,
      type: handedOn.standpoint.type, function: handedOn.standpoint.function, open: [handedOn.reason])
  }
}
