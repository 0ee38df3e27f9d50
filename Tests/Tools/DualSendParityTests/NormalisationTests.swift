import DualSendCore
import DualSendParity
import DualSendRemapping
import Foundation
import Testing

@Suite("Normalisation", .timeLimit(.minutes(5)))
struct NormalisationTests {
  @Test("the firebase preset cuts, converts and leaves out what Firebase does")
  func firebase() {
    let long = String(repeating: "x", count: 150)
    let kept = Normalisation.firebase.apply(to: [
      "text": .string(long), "on": true, "nested": ["deep": [.bool(false)]], "home.tap": 1, "ga_x": 1, "1st": 1, "": 1,
      String(repeating: "n", count: 50): 2,
    ])
    #expect(
      kept == [
        "text": .string(String(long.prefix(100))), "on": 1, "nested": ["deep": [0]],
        String(repeating: "n", count: 40): 2,
      ])
  }

  @Test("the first 25 parameters by name are kept")
  func parameterLimit() {
    let names = (10..<60).map { "p\($0)" }
    let kept = Normalisation.firebase.apply(to: Dictionary(uniqueKeysWithValues: names.map { ($0, 1) }))
    #expect(kept.keys.sorted() == Array(names.prefix(25)))
  }

  @Test("a second time changes nothing", arguments: [Normalisation.firebase, .none])
  func idempotent(rules: Normalisation) {
    let once = rules.apply(to: ["a": true, "b": .string(String(repeating: "é", count: 120)), "c.d": 1])
    #expect(rules.apply(to: once) == once)
  }

  @Test("illegal characters can be replaced instead")
  func replace() throws {
    let rules = try Normalisation(#"{"formatVersion":1,"illegalNames":"replace"}"#.utf8)
    #expect(rules.apply(to: ["home.tap": 1, "9": 2]) == ["home_tap": 1])
  }

  @Test("a file starts from its preset and changes what it names")
  func preset() throws {
    let rules = try Normalisation(
      #"{"formatVersion":1,"preset":"firebase","maximumStringLength":200,"maximumParameters":null,"ignore":["a.b[]"]}"#
        .utf8)
    var expected = Normalisation.firebase
    expected.maximumStringLength = 200
    expected.maximumParameters = nil
    expected.ignored = [try KeyPathPattern("a.b[]")]
    #expect(rules == expected)
  }

  private static let fixtures = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Fixtures/normalisation")

  private static func files(_ folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: fixtures.appending(path: folder).path).sorted()
  }

  @Test("a valid file is read", arguments: try files("valid"))
  func valid(file: String) throws {
    #expect(throws: Never.self) { try Normalisation(Data(contentsOf: Self.fixtures.appending(path: "valid/" + file))) }
  }

  @Test("a faulty file is refused with the code in its name", arguments: try files("invalid"))
  func refused(file: String) throws {
    let bytes = try Data(contentsOf: Self.fixtures.appending(path: "invalid/" + file))
    let error = #expect(throws: DocumentError.self) { try Normalisation(bytes) }
    #expect(error?.diagnostics.map(\.code.rawValue) == [String(file.prefix(6))])
  }
}
