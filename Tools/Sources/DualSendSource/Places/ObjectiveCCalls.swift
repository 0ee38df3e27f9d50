import DualSendInventory

/// Calls of the described functions in Objective-C. They are found by their text, so their events are unknown.
enum ObjectiveCCalls {
  /// The places of all files that are not Swift.
  static func sites(_ texts: SourceTexts, functions: [LoggingFunction]) -> [CallSite] {
    let names = Set(functions.filter { $0.receiverProtocol == nil }.map(\.name))
    return texts.objectiveC.flatMap { path -> [CallSite] in
      guard case .success(let text) = SourceFile.text(path, follows: false) else { return [] }
      return places(text, names).map { place in
        CallSite(
          certainty: .dynamic, file: path, line: place.line, column: place.column,
          open: ["a call in Objective-C is found by its text alone"])
      }
    }
  }

  /// The positions of the first part of a message: `logEvent:` and `logEventWithName:` are both `logEvent(…)` in Swift.
  /// Only matches in brackets count, because declarations have none.
  private static func places(_ text: String, _ names: Set<String>) -> [(line: Int, column: Int)] {
    // Removes comments and literals first, so that nothing in them counts.
    let tokens =
      #/
      //[^\n]* | /\*[\s\S]*?(?:\*/|$) | "(?:\\.|[^"\\\n])*"? | '(?:\\.|[^'\\\n])*'?
      | \n | [\[\]] | (?<word>[\w$]+)(?<colon>[\x20\t]*:)?
      /#.matchingSemantics(.unicodeScalar)
    var found: [(line: Int, column: Int)] = []
    var (depth, line, lineStart) = (0, 1, text.startIndex)
    for match in text.matches(of: tokens) {
      if let word = match.word {
        let isMessage = names.contains { word == $0 || word.hasPrefix($0 + "With") }
        guard depth > 0, match.colon != nil, isMessage else { continue }
        found.append((line, text.utf8.distance(from: lineStart, to: word.startIndex) + 1))
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
