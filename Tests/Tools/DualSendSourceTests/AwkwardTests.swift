import Foundation
import Testing

@testable import DualSendSource

@Suite("Awkward Swift", .timeLimit(.minutes(5)))
struct AwkwardTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../../Fixtures/Sources/Awkward").standardized

  /// What is known of one file: its calls by line, or that it is refused.
  private struct Known {
    var calls: [Int: [(certainty: String, names: Set<String>, keys: Set<String>)]] = [:]
    var isRefused = false
  }

  private static func known() throws -> [String: Known] {
    var known: [String: Known] = [:]
    let text = try String(contentsOf: folder.appendingPathComponent("expected.tsv"), encoding: .utf8)
    for line in text.split(separator: "\n") {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      let file = fields[0]
      if fields.contains("refused") {
        known[file, default: Known()].isRefused = true
      } else if let number = Int(fields[1]) {
        func set(_ field: Int, _ separator: Character) -> Set<String> {
          Set(field < fields.count ? fields[field].split(separator: separator).map(String.init) : [])
        }
        known[file, default: Known()].calls[number, default: []].append((fields[2], set(3, "|"), set(4, ",")))
      }
    }
    return known
  }

  @Test("has constants that need each other")
  func cycles() {
    let source = """
      enum N { static let a = N.b; static let b = N.a; static let c = c }
      func f(logger: any EventLogger) { logger.logEvents(name: "x_\\(N.a)_\\(N.c)", parameters: [[:]]) }
      """
    #expect(Sources(source).calls.map(\.certainty) == [.partial])
  }

  @Test(
    "has optionals at any place of a type",
    arguments: [
      "(String, Int?)", "(String?)", "((Int?) -> Void)?", "Optional<String>.Type", "(any Error)?", "[(String, Int?)]",
      "String??", "(a: Int, b: Int?)!", "[String: (Int, Int?)]", "((((Int?))))", "()", "(Int)?",
    ])
  func types(type: String) {
    let source = """
      struct S {
        var all: [\(type)]
        let logger: any EventLogger
        func f(_ one: \(type)) { for x in all { use(x) }; logger.logEvents(name: "e", parameters: [[:]]) }
      }
      """
    #expect(Sources(source).calls.map(\.summary) == ["exact e()"])
  }

  @Test("is read as far as it is Swift, and never called exact where it is not")
  func fixtures() throws {
    let known = try Self.known()
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
      .filter { $0.hasSuffix(".swift.txt") }.sorted()
    #expect(names.count > 20)
    let files = SourceFinder.files(names.map { Self.folder.appendingPathComponent($0).path })
    let found = SourceInventory(SourceTexts(files), threads: 2)
    func name(_ path: String) -> String { String(URL(fileURLWithPath: path).lastPathComponent.dropLast(4)) }
    let refused = Set(found.skipped.map { name($0.file) })
    let calls = Dictionary(grouping: found.inventory.callSites) { name($0.file) }
    for name in names.map({ String($0.dropLast(4)) }) {
      let truth = known[name] ?? Known()
      #expect(refused.contains(name) == truth.isRefused, "\(name)")
      for call in calls[name] ?? [] where call.certainty == .exact {
        let names = Set(call.events.map(\.name))
        let keys = Set(call.events.flatMap { $0.parameters.map(\.key) })
        let isTrue = truth.calls[call.line, default: []].contains { expected in
          expected.certainty == "exact" && expected.names == names && expected.keys == keys
        }
        #expect(isTrue, "\(name):\(call.line): \(call.summary)")
      }
      #expect(Set((calls[name] ?? []).map(\.line)) == Set(truth.calls.keys), "\(name)")
    }
  }

  @Test("takes a file of 20,000 lines, and code nested very deep")
  func large() {
    let functions = (0..<4_000).map { number in
      """
      /// Function \(number).
      func f\(number)(logger: any EventLogger) {
        logger.logEvents(name: "e\(number)", parameters: [["k": 1]])
      }

      """
    }
    let calls = Sources(functions.joined()).calls
    #expect(calls.count == 4_000)
    #expect(calls.allSatisfy { $0.certainty == .exact })
    let deep = "let x = " + String(repeating: "(", count: 4_000) + "1" + String(repeating: ")", count: 4_000)
    #expect(Sources(deep).calls.isEmpty)
  }

  @Test("takes chains of operators, members, arrows and branches of any length, or passes them over")
  func chains() {
    let call = "func f(_ l: any L) { l.logEvents(name: \"a\", parameters: [[:]]) }\n"
    for chain in [
      "let x = " + String(repeating: "a + ", count: 5_000) + "a", "let x = a" + String(repeating: ".b()", count: 5_000),
      "let f: " + String(repeating: "(I) -> ", count: 5_000) + "I",
      "func g() { " + String(repeating: "if b { h() } else ", count: 2_000) + "{} }",
      "func g() { var p: [String: Any] = [:]; " + String(repeating: "p = [\"a\": p]; ", count: 1_000) + "h(p) }",
    ] {
      #expect(Sources(call + chain).calls.map(\.summary) == ["exact a()"], "\(chain.prefix(40))")
    }
    let endless = Sources(call + "let f: " + String(repeating: "(I) -> ", count: 200_000) + "I").inventory()
    #expect(endless.skipped.map(\.reason) == ["something in it is nested too deep"])
  }

  @Test(
    "passes over what is nested too deep, in a time that grows with its length alone",
    arguments: [
      ("[", "]", 24), ("[ /* [ */ (", ")]", 12), ("A<", ">", 2_000), ("[", "", 250_000), ("if b() { ", "}", 100_000),
      ("\"\\(", ")\"", 20_000), ("#\"\\#(", ")\"#", 300), ("\"\"\"\n\\(", ")\n\"\"\"", 300), ("f(", ")", 300),
    ])
  func nested(open: String, close: String, count: Int) {
    func source(_ count: Int) -> String {
      "\n" + String(repeating: open, count: count) + "a" + String(repeating: close, count: count)
    }
    let found = Sources(source(count)).inventory()
    #expect(found.skipped.map(\.reason) == ["something in it is nested too deep"])
    #expect(found.skipped.allSatisfy { $0.line ?? 0 > 1 })
    // Side by side, they are not nested: what they are is for the parser to say.
    if close.isEmpty { return }
    let flat = Sources((0..<400).map { _ in source(3) }.joined()).inventory()
    #expect(flat.skipped.allSatisfy { $0.reason == "it is not Swift" })
  }

  @Test("takes no bracket of a text, a regular expression or a comment for nesting")
  func brackets() {
    let lines = [
      #"let a = "((([[[{{{""#,
      #"let b = "\"(\(f("("))(""#, "// ((([[[", "/* /* ((( */ [[[ */", ##"let c = #"\(("\("#"##,
      "let d = \"\"\"\n  (((\"[[[\n  \"\"\"", "let e = a < b && c < d", #"let g = try Regex("[(](((\\[")"#,
    ]
    let text = (0..<300).map { _ in lines.joined(separator: "\n") + "\n" }.joined()
    #expect(SourceNesting.problem(of: text) == nil)
  }
}
