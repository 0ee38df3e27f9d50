import Testing

@testable import DualSendCore

@Suite("The nearest known word", .timeLimit(.minutes(5)))
struct NearestWordTests {
  private let known = ["shouldSendLogToOldLogger", "shouldSendLogToNewTracker", "salt", "rules", "revision"]

  @Test(
    "is the one that a slip of the hand makes",
    arguments: [
      ("shouldSendLogToOldLoger", "shouldSendLogToOldLogger"),
      ("shouldsendlogtonewtracker", "shouldSendLogToNewTracker"),
      ("slat", "salt"), ("rule", "rules"), ("Rules", "rules"), ("revison", "revision"), ("sallt", "salt"),
    ])
  func near(_ word: String, _ expected: String) {
    #expect(nearestWord(to: word, among: known) == expected)
  }

  @Test("is none where every word is far", arguments: ["", "x", "sugar", "completelyDifferent"])
  func far(_ word: String) {
    #expect(nearestWord(to: word, among: known) == nil)
  }

  @Test("is the nearest of several, and of equally near ones the first by alphabet")
  func several() {
    #expect(nearestWord(to: "names", among: ["nems", "name", "named"]) == "name")
    #expect(nearestWord(to: "rules", among: []) == nil)
  }

  @Test(
    "counts inserted, deleted, replaced and swapped characters",
    arguments: [
      ("", "", 0), ("", "abc", 3), ("abc", "", 3), ("abc", "abc", 0), ("abc", "abxc", 1), ("abc", "ac", 1),
      ("abc", "axc", 1), ("abc", "acb", 1), ("ca", "abc", 3), ("kitten", "sitting", 3),
    ])
  func distance(_ left: String, _ right: String, _ expected: Int) {
    #expect(editDistance(left, right) == expected)
    #expect(editDistance(right, left) == expected)
  }
}
