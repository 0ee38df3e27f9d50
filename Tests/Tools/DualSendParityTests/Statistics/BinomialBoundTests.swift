import Foundation
import Testing

@testable import DualSendParity

@Suite("The upper bound of a share", .timeLimit(.minutes(5)))
struct BinomialBoundTests {
  struct Vector: Sendable {
    let risk: Double
    let failures: Int
    let trials: Int
    let upper: Double
  }

  /// The rows of `Fixtures/vectors/clopper-pearson.csv`.
  private static func vectors() throws -> [Vector] {
    let root = (0..<5).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }
    let file = root.appendingPathComponent("Fixtures/vectors/clopper-pearson.csv")
    let rows = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").dropFirst()
    return try rows.map { row in
      let cells = row.split(separator: ",")
      try #require(cells.count == 4)
      return Vector(
        risk: try #require(Double(cells[0])), failures: try #require(Int(cells[1])),
        trials: try #require(Int(cells[2])), upper: try #require(Double(cells[3])))
    }
  }

  @Test("is that of an independent implementation, to a millionth of itself and better")
  func vectors() throws {
    let vectors = try Self.vectors()
    #expect(vectors.count == 108)
    for vector in vectors {
      let upper = BinomialBound(risk: vector.risk).upper(failures: vector.failures, of: vector.trials)
      #expect(abs(upper - vector.upper) <= 1e-7 * vector.upper, "\(vector): \(upper)")
    }
  }

  @Test("without failures is that of the closed form", arguments: [1, 2, 59, 2_995, 1_000_000])
  func closedForm(trials: Int) {
    let upper = BinomialBound(risk: 0.05).upper(failures: 0, of: trials)
    let expected = -expm1(log(0.05) / Double(trials))
    #expect(abs(upper - expected) <= 1e-9 * expected)
  }

  @Test("is 1 where nothing was tried, or everything failed")
  func one() {
    let bound = BinomialBound(risk: 0.05)
    #expect([bound.upper(failures: 0, of: 0), bound.upper(failures: 7, of: 7)] == [1, 1])
    #expect(!bound.isAtMost(0.5, failures: 0, of: 0) && bound.isAtMost(1, failures: 7, of: 7))
  }

  @Test("is within a share from exactly as many trials on as are said to be needed", arguments: [0, 1, 2, 10, 1_000])
  func needed(failures: Int) throws {
    let bound = BinomialBound(risk: 0.05)
    for share in [0.000_001, 0.001, 0.05, 0.5, 0.99] {
      let needed = try #require(bound.trialsNeeded(failures: failures, share: share))
      #expect(bound.upper(failures: failures, of: needed) <= share)
      #expect(needed == failures + 1 || bound.upper(failures: failures, of: needed - 1) > share)
    }
    #expect(bound.trialsNeeded(failures: failures, share: 0) == nil)
  }

  @Test("asks for 2,995 trials without a failure to show 1 of 1,000, and for 59 to show 5 of 100")
  func wellKnown() {
    let bound = BinomialBound(risk: 0.05)
    #expect(bound.trialsNeeded(failures: 0, share: 0.001) == 2_995)
    #expect(bound.trialsNeeded(failures: 0, share: 0.05) == 59)
  }

  @Test("is found in counts as large as a report may hold")
  func large() {
    let upper = BinomialBound(risk: 0.05).upper(failures: 500_000_000_000, of: 1_000_000_000_000)
    #expect(upper > 0.5 && upper < 0.500_001)
  }
}
