import DualSendConformance
import DualSendCore
import DualSendRemapping
import Foundation
import Testing

@testable import DualSendParity

@Suite("The conformance suite holds for", .timeLimit(.minutes(5)))
struct ConformanceTests {
  private static let suite = Result {
    var root = URL(filePath: #filePath)
    for _ in 0..<4 { root.deleteLastPathComponent() }
    return try ConformanceSuite(root.appending(path: "Fixtures/conformance"))
  }

  @Test("comparing two payloads")
  func comparison() throws {
    for example in try Self.suite.get().cases(of: .comparison) {
      guard case .object(let expected)? = example.question["expected"],
        case .object(let actual)? = example.question["actual"]
      else { continue }
      var ignored: [KeyPathPattern] = []
      if case .array(let paths)? = example.question["ignore"] {
        for case .string(let path) in paths { ignored.append(try KeyPathPattern(path)) }
      }
      let fields = PayloadComparison(expected: expected, actual: actual, ignoring: ignored).fields.map {
        ($0.path.description, EventValue.string($0.outcome.rawValue))
      }
      let differences = example.differences(from: ["fields": .object(Dictionary(fields) { first, _ in first })])
      #expect(differences.isEmpty, "\(example.id): \(differences)")
    }
  }

  @Test("comparing two streams, also where pairs are recognised by their shape")
  func streams() throws {
    for example in try Self.suite.get().cases(of: .remapping) {
      guard case .object(let table)? = example.question["table"], case .string(let name)? = example.question["event"],
        let payload = example.question["payload"], case .string(let newName)? = example.answer["name"],
        case .object(let newPayload)? = example.answer["payload"]
      else { continue }
      // From the second pair on a shape is known; the last one has a field too many.
      let olds = (0..<4).map { old("id\($0)", name, payload.canonicalText) }
      let other = EventValue.object(newPayload.merging(["a field too many": 1]) { $1 })
      let news = (0..<4).map { number in
        new("id\(number)", newName, (number < 3 ? .object(newPayload) : other).canonicalText)
      }
      let report = try compare(old: olds, new: news, table: (table["events"] ?? [:]).canonicalText)
      #expect((report.total.pairs, report.total.differing, report.total.renamed) == (4, 1, 0), "\(example.id)")
    }
  }
}
