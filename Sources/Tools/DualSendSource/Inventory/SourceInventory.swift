import DualSendCore
import SwiftParser
import SwiftSyntax

/// The places of some sources that log, and what each can send.
///
/// Several threads read one file at a time, and read it again where a declaration in it is needed; trees of whole files are
/// not kept. The result does not depend on the number of threads.
package struct SourceInventory: Sendable {
  /// A file that was skipped.
  package struct Skipped: Sendable, Hashable {
    /// Its path.
    package let file: String
    /// The line of the syntax error, counted from 1; `nil` if it is no text at all.
    package let line: Int?
    /// What is wrong with it.
    package let reason: String
  }

  /// The places that were found.
  package let inventory: Inventory
  /// The calls of the described functions, compared with a text search for their names.
  package let recall: Recall
  /// The files that are not Swift, sorted.
  package let skipped: [Skipped]
  /// The steps that the evaluation of values took. The tests compare them with the size of the sources.
  package let steps: Int
  /// How many files were read.
  package let fileCount: Int
  /// How many lines they have.
  package let lineCount: Int

  /// Reads sources.
  ///
  /// - Parameters:
  ///   - texts: the files.
  ///   - functions: the logging functions.
  ///   - threads: how many threads read, at least 1.
  ///   - progress: called with the number of each file that was read, on any thread.
  package init(
    _ texts: SourceTexts, functions: [LoggingFunction] = LoggingFunction.known, threads: Int = 1,
    progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) {
    let read = Threads.map(threads, texts.paths.count) { number in
      defer { progress(number) }
      return ReadFile(texts, number)
    }
    let unread = read.compactMap(\.skipped)
    fileCount = read.count - unread.count
    lineCount = read.reduce(0) { $0 + $1.lineCount }
    let tracing = Tracing(texts: texts, files: read.map(\.facts), functions: functions, threads: threads)
    let found = tracing.sites()
    steps = found.steps
    let objectiveC = ObjectiveCCalls.sites(texts, functions: functions, wrappers: found.objectiveC)
    skipped = (unread + objectiveC.skipped).sorted { String.byteOrder($0.file, $1.file) }
    recall = found.recall + Recall(hits: objectiveC.sites.count, places: objectiveC.sites.count)
    inventory = Inventory(found.sites + objectiveC.sites)
  }
}

/// The results of the first reading of a file.
struct ReadFile: Sendable {
  var facts = FileFacts()
  var skipped: SourceInventory.Skipped?
  var lineCount = 0

  init(_ texts: SourceTexts, _ number: Int) {
    do throws(SourceFile.Unread) {
      let text = try texts.reading(number).get()
      lineCount = text.utf8.count { $0 == UInt8(ascii: "\n") }
      if let problem = SourceNesting.problem(of: text) { throw problem }
      let tree = Parser.parse(source: text)
      if let problem = tree.problem { throw problem }
      facts = DeclarationCollector(tree, file: number).facts
    } catch {
      skipped = .init(file: texts.paths[number], line: error.line, reason: error.reason)
    }
  }
}

// MARK: - Calls in Objective-C

/// Calls in Objective-C of the described functions, and of wrappers that Objective-C sees. They are found by their text, so
/// of their events only a name is known that is a literal.
enum ObjectiveCCalls {
  /// The places of all files that are not Swift, and the files that cannot be read.
  static func sites(
    _ texts: SourceTexts, functions: [LoggingFunction], wrappers: Set<String>
  ) -> (sites: [CallSite], skipped: [SourceInventory.Skipped]) {
    let described = functions.filter { $0.receiverProtocol == nil }
    let names = Set(described.map(\.name)).union(wrappers)
    let named = Set(described.filter(\.isNameFirst).map(\.name)).subtracting(wrappers)
    var (sites, skipped): ([CallSite], [SourceInventory.Skipped]) = ([], [])
    for path in texts.objectiveC {
      switch SourceFile.text(path, follows: false) {
      case .success(let text):
        sites += places(text, names).map { place in
          let name = place.name.flatMap { named.contains(place.function) ? $0 : nil }
          let event = name.map { SentEvent(name: $0, isPattern: false, isOpen: true, parameters: []) }
          return CallSite(
            file: path, line: place.line, column: place.column,
            open: ["a call in Objective-C is found by its text alone"], events: event.map { [$0] } ?? [])
        }
      case .failure(let unread): skipped.append(.init(file: path, line: nil, reason: unread.reason))
      }
    }
    return (sites, skipped)
  }

  /// The first part of a message, and the argument behind it if it is a literal.
  private typealias Place = (line: Int, column: Int, function: String, name: String?)

  /// The messages: `logEvent:` and `logEventWithName:` are both `logEvent(…)` in Swift. Only matches in brackets count,
  /// because declarations have none.
  private static func places(_ text: String, _ names: Set<String>) -> [Place] {
    // Removes comments and literals first, so that nothing in them counts.
    let tokens =
      #/
      //[^\n]* | /\*[\s\S]*?(?:\*/|$) | "(?:\\.|[^"\\\n])*"? | '(?:\\.|[^'\\\n])*'?
      | \n | [\[\]] | (?<word>[\w$]+)(?<colon>[\x20\t]*:)?
      (?:[\x20\t]*@"(?<name>[^"\\\n]*)"(?=\s*(?:\]|\w+[\x20\t]*:)))?
      /#.matchingSemantics(.unicodeScalar)
    var found: [Place] = []
    var (depth, line, lineStart) = (0, 1, text.startIndex)
    for match in text.matches(of: tokens) {
      if let word = match.word {
        let function = names.filter { word == $0 || word.hasPrefix($0 + "With") }.max { $0.count < $1.count }
        guard depth > 0, match.colon != nil, let function else { continue }
        let column = text.utf8.distance(from: lineStart, to: word.startIndex) + 1
        found.append((line, column, function, match.name.map(String.init)))
      } else if match.0 == "[" || match.0 == "]" {
        depth += match.0 == "[" ? 1 : -1
      } else {
        line += match.0.utf8.count { $0 == UInt8(ascii: "\n") }
        if let last = match.0.utf8.lastIndex(of: UInt8(ascii: "\n")) { lineStart = text.utf8.index(after: last) }
      }
    }
    return found
  }
}
