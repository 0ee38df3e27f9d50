import Foundation
import Testing

/// An example that a document shows and a test file compiles, so that nobody reads code that does not work.
///
/// In the test file it stands between `// README: NAME` (or another document's name) and `// README: the end`.
struct DocumentedExample: Sendable, CustomTestStringConvertible {
  /// The document's path below the package.
  let document: String
  let name: String

  var testDescription: String { "\(name) in \(document)" }

  /// Checks that the document shows the example to the letter, its indentation aside.
  func check(in file: String = #filePath) throws {
    let word = URL(fileURLWithPath: document).deletingPathExtension().lastPathComponent
    let source = try String(contentsOfFile: file, encoding: .utf8)
    let example = try #require(source.components(separatedBy: "// \(word): \(name)\n").dropFirst().first)
      .components(separatedBy: "// \(word): the end")[0]
    let lines = example.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    let indentation = lines.first?.prefix { $0 == " " } ?? ""
    let code = lines.map { $0.dropFirst(indentation.count) }.joined(separator: "\n")
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let text = try String(contentsOf: root.appendingPathComponent(document), encoding: .utf8)
    #expect(text.contains("\n\(code)\n"))
  }
}
