import DualSendSource
import Foundation
import Testing

/// Dictionaries and event objects that change before they are logged: by own functions, in loops, under another name.
///
/// `Fixtures/Sources/Changed` has the programs. Above each stands what a run of it can send, one event list for each call
/// of `log`: `read` must be exact with these events, `never wrong` may be less than exact, and what `open` sends is
/// decided elsewhere. `?` stands behind a key that may be missing, `-` behind one that is never sent and may be listed.
@Suite("Values that change before they are logged", .timeLimit(.minutes(5)))
struct ChangedValueTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../../Fixtures/Sources/Changed").standardized

  /// What the programs have in common.
  private static let shared = """
    let logger: any OldLogger = make()
    func log(_ name: String, _ keys: [String: Any] = [:]) { logger.logEvents(name: name, parameters: [keys]) }
    extension Dictionary where Key == String, Value == Any {
      mutating func add(_ other: [String: Any]) { for (key, value) in other { self[key] = value } }
    }
    final class E {
      var name: String
      var keys: [String: Any] = [:]
      init(_ name: String) { self.name = name }
      func set(_ key: String, _ value: Any = 1) { keys[key] = value }
    }
    struct S {
      var name: String
      var keys: [String: Any] = [:]
      init(_ name: String) { self.name = name }
      mutating func set(_ key: String, _ value: Any = 1) { keys[key] = value }
    }

    """

  struct Program: CustomTestStringConvertible {
    let kind: Substring
    let events: [String]
    let code: String

    init(_ text: Substring) {
      let head = text.prefix { $0 != "\n" }.split(separator: ": ", maxSplits: 1)
      kind = head.first ?? ""
      events = head.dropFirst().flatMap { $0.components(separatedBy: "; ") }
      code = String(text.drop { $0 != "\n" }.dropFirst())
    }

    var testDescription: String { code }

    var calls: [CallSite] { Sources(ChangedValueTests.shared + code).calls }
  }

  private static let programs: [Program] = {
    let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
    let texts = files.sorted { $0.path < $1.path }.compactMap { try? String(contentsOf: $0, encoding: .utf8) }
    return texts.flatMap { ("\n" + $0).components(separatedBy: "\n// ").dropFirst().map { Program($0[...]) } }
  }()

  private static func programs(_ kind: Substring) -> [Program] { programs.filter { $0.kind == kind } }

  @Test("have programs of three kinds")
  func kinds() {
    #expect(Set(Self.programs.map(\.kind)) == ["read", "never wrong", "open"])
    #expect(Self.programs.count > 100)
  }

  @Test("are followed", arguments: programs("read"))
  func read(program: Program) {
    let calls = program.calls
    #expect(calls.map(\.summary) == program.events.map { "exact " + $0 }, "\(calls.map(\.open))")
  }

  @Test("are never exact and wrong", arguments: programs("never wrong"))
  func neverWrong(program: Program) {
    let calls = program.calls
    #expect(calls.count == program.events.count)
    for (call, events) in zip(calls, program.events) where call.certainty == .exact {
      // The contents of a value of unknown type are not listed.
      let open = call.events.flatMap(\.parameters).filter { $0.types.contains(.unknown) }.map(\.key)
      let (claimed, truth) = (Self.keys(call.summary, open), Self.keys("exact " + events, open))
      #expect(Self.isTrue(claimed, of: truth), "\(call.summary)")
    }
  }

  @Test("are not exact where other code decides", arguments: programs("open"))
  func open(program: Program) {
    #expect(!program.calls.isEmpty)
    for call in program.calls { #expect(call.certainty != .exact, "\(call.summary)") }
  }

  private enum Presence {
    case always, sometimes
    /// `-`: it is never sent, and may be listed as one that may be missing.
    case never
  }

  /// The keys of each event of a summary, not those below `open` ones.
  private static func keys(_ summary: String, _ open: [String]) -> [String: [String: Presence]] {
    summary.dropFirst("exact ".count).split(separator: ")").reduce(into: [:]) { events, event in
      let parts = event.split(separator: "(", maxSplits: 1, omittingEmptySubsequences: false)
      let keys = parts[1].components(separatedBy: ", ").filter { !$0.isEmpty }
      events[parts[0].trimmingCharacters(in: .whitespaces)] = keys.reduce(into: [:]) { keys, key in
        let path = key.last == "?" || key.last == "-" ? String(key.dropLast()) : key
        keys[open.first { path.hasPrefix($0 + ".") } ?? path] =
          key.last == "?" ? .sometimes : key.last == "-" ? .never : .always
      }
    }
  }

  /// Whether all events and keys are claimed, and no key is called required that may be missing.
  private static func isTrue(_ claimed: [String: [String: Presence]], of truth: [String: [String: Presence]]) -> Bool {
    claimed.keys == truth.keys
      && claimed.allSatisfy { name, keys in
        let known = truth[name] ?? [:]
        return keys.allSatisfy { known[$0.key] == .always || $0.value == .sometimes && known[$0.key] != nil }
          && known.allSatisfy { $0.value == .never || keys[$0.key] != nil }
      }
  }
}
