import DualSendInventory
import SwiftSyntax

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
    return SourceInventory.onThreads(threads, runs.count) { number in
      let tracer = CallTracer(
        evaluator: Evaluator(index: index, sources: SourceStore(texts)), functions: functions, wrappers: wrappers,
        writesOut: writesOut)
      return runs[number].map { tracer.trace($0) ?? TracedFile() }
    }.flatMap { $0 }
  }

  private static let filesPerRun = 16

  private func sites(_ traced: [Int: TracedFile], _ wrappers: Set<Wrapper>) -> [FoundCall] {
    let called = Set(traced.values.flatMap(\.calls).flatMap(\.wrappers))
    let files = traced.keys.sorted()
    return SourceInventory.onThreads(threads, files.count) { number -> [FoundCall] in
      let file = files[number]
      guard let result = traced[file] else { return [] }
      let calls = result.calls.filter { call in
        // What a wrapper logs, its callers log.
        guard call.events.dependsOnCaller, let enclosing = call.enclosing else { return true }
        return !called.contains(enclosing)
      }
      guard !calls.isEmpty || !result.handedOn.isEmpty, let source = SourceStore(texts).source(file) else { return [] }
      let nodes = source.calls(at: Set(calls.map(\.offset)))
      return calls.map { FoundCall(site: source.callSite($0, nodes[$0.offset]), literal: $0.literal) }
        + result.handedOn.map { FoundCall(site: source.callSite(handingOn: $0.name, at: $0.offset), literal: nil) }
    }.flatMap { $0 }
  }
}

extension Wrapper: Comparable {
  static func < (left: Wrapper, right: Wrapper) -> Bool {
    left.declaration.place < right.declaration.place
  }
}

extension SwiftSource {
  fileprivate func callSite(_ call: TracedFile.Call, _ node: FunctionCallExprSyntax?) -> CallSite {
    var events = call.events
    if events.dependsOnCaller, call.enclosing != nil {
      events.reasons.insert(SourceInventory.nobodyCalls)
    }
    let surroundings = node?.surroundings ?? (type: "", function: "")
    let place = converter.location(
      for: node?.positionAfterSkippingLeadingTrivia ?? AbsolutePosition(utf8Offset: call.offset))
    let sent = SentEvents(events)
    return CallSite(
      certainty: sent.certainty, file: path, line: place.line, column: place.column, type: surroundings.type,
      function: surroundings.function, via: events.via, open: sent.open, events: sent.events)
  }

  fileprivate func callSite(handingOn name: String, at offset: Int) -> CallSite {
    let position = AbsolutePosition(utf8Offset: offset)
    let place = converter.location(for: position)
    let surroundings = tree.token(at: position)?.surroundings ?? (type: "", function: "")
    return CallSite(
      certainty: .dynamic, file: path, line: place.line, column: place.column, type: surroundings.type,
      function: surroundings.function, open: ["`\(name)` is handed on as a value, and called elsewhere"])
  }

  /// The calls at some places, found in one walk: to look for each alone would take a long file for ever.
  fileprivate func calls(at offsets: Set<Int>) -> [Int: FunctionCallExprSyntax] {
    final class Finder: SyntaxVisitor {
      let offsets: Set<Int>
      var found: [Int: FunctionCallExprSyntax] = [:]

      init(_ offsets: Set<Int>) {
        self.offsets = offsets
        super.init(viewMode: .sourceAccurate)
      }

      override func visitPost(_ node: FunctionCallExprSyntax) {
        let offset = node.placeOffset
        if offsets.contains(offset) { found[offset] = node }
      }
    }
    let finder = Finder(offsets)
    finder.walk(tree)
    return finder.found
  }
}
