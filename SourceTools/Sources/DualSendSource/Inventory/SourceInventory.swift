import Dispatch
@_spi(Tools) import DualSendCore
public import DualSendInventory
import SwiftParser
import SwiftSyntax

/// The places of some sources that log, and what each can send.
///
/// Files are read one after another on several threads, and read again when something in them is asked for; no tree is
/// kept for long. The result does not depend on the number of threads.
public struct SourceInventory: Sendable {
  /// A file that was passed over.
  public struct Skipped: Sendable, Hashable {
    /// As it was found.
    public let file: String
    /// Where it stops being Swift, counted from 1; `nil` if it is no text at all.
    public let line: Int?
    /// What is wrong with it.
    public let reason: String
  }

  /// A place that writes its event down.
  public struct WrittenCall: Sendable {
    /// What the place can send.
    public let site: CallSite
    /// What stands where.
    public let literal: LiteralCall
  }

  /// Why nothing is known of a function that hands on what it is called with, and is not called.
  public static let nobodyCalls = "nobody in these sources calls the function"

  /// What was found.
  public let inventory: Inventory
  /// The places that log, with their events where those can be written down there, sorted; none if nobody asks.
  public let written: [WrittenCall]
  /// The files that are not Swift, sorted.
  public let skipped: [Skipped]
  /// How many files were read.
  public let fileCount: Int
  /// How many lines they have.
  public let lineCount: Int

  /// Reads sources.
  ///
  /// - Parameters:
  ///   - texts: the files.
  ///   - functions: what logs.
  ///   - threads: how many threads read, at least 1.
  ///   - writesOut: whether ``written`` is asked for, which takes its time.
  ///   - progress: told how many files were read, now and then, on any thread.
  public init(
    _ texts: SourceTexts, functions: [LoggingFunction] = LoggingFunction.known, threads: Int = 1,
    writesOut: Bool = true,
    progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) {
    let read = Self.onThreads(threads, texts.paths.count) { number in
      defer { progress(number) }
      return ReadFile(texts, number)
    }
    skipped = read.compactMap(\.skipped).sorted { ($0.file, $0.line ?? 0) < ($1.file, $1.line ?? 0) }
    fileCount = read.count - skipped.count
    lineCount = read.reduce(0) { $0 + $1.lineCount }
    let tracing = Tracing(
      texts: texts, files: read.map(\.declarations), functions: functions, threads: threads,
      writesOut: writesOut)
    let calls = tracing.callSites()
    inventory = Inventory(calls.map(\.site))
    written = calls.compactMap { call in call.literal.map { WrittenCall(site: call.site, literal: $0) } }
      .sorted { $0.site < $1.site }
  }

  /// Does the work for each of some numbers on several threads; the results are in order.
  static func onThreads<Value: Sendable>(
    _ threads: Int, _ count: Int, _ work: @escaping @Sendable (Int) -> Value
  ) -> [Value] {
    let results = Locked([Value?](repeating: nil, count: count))
    let next = Locked(0)
    let take = { @Sendable () -> Int? in
      next.withLock { next in
        defer { next += 1 }
        return next < count ? next : nil
      }
    }
    DispatchQueue.concurrentPerform(iterations: max(threads, 1)) { _ in
      while let number = take() {
        let value = work(number)
        results.withLock { $0[number] = value }
      }
    }
    return results.current.compactMap { $0 }
  }
}

/// What the first reading of a file finds.
private struct ReadFile: Sendable {
  var declarations = FileDeclarations()
  var skipped: SourceInventory.Skipped?
  var lineCount = 0

  init(_ texts: SourceTexts, _ number: Int) {
    guard let text = texts.text(number) else {
      skipped = .init(file: texts.paths[number], line: nil, reason: "it is not UTF-8, or cannot be read")
      return
    }
    lineCount = text.utf8.reduce(0) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
    let tree = Parser.parse(source: text)
    if tree.hasError {
      skipped = .init(file: texts.paths[number], line: tree.firstErrorLine, reason: "it is not Swift")
      return
    }
    let collector = DeclarationCollector(file: number)
    collector.walk(tree)
    declarations = collector.declarations
  }
}

extension SourceFileSyntax {
  /// The line of the first thing that does not belong there, counted from 1.
  fileprivate var firstErrorLine: Int {
    final class Finder: SyntaxVisitor {
      var first: AbsolutePosition?
      override func visit(_ node: UnexpectedNodesSyntax) -> SyntaxVisitorContinueKind {
        first = first ?? node.positionAfterSkippingLeadingTrivia
        return .skipChildren
      }
      override func visit(_ node: TokenSyntax) -> SyntaxVisitorContinueKind {
        if node.presence == .missing { first = first ?? node.position }
        return .skipChildren
      }
    }
    let finder = Finder(viewMode: .all)
    finder.walk(self)
    guard let first = finder.first else { return 1 }
    return SourceLocationConverter(fileName: "", tree: self).location(for: first).line
  }
}
