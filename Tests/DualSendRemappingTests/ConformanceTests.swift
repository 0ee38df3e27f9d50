import DualSendConformance
import DualSendCore
import DualSendRemapping
import DualSendTables
import Foundation
import Testing

@Suite("The conformance suite holds for", .timeLimit(.minutes(5)))
struct ConformanceTests {
  private static let suite = Result { try ConformanceSuite(fixtures.appending(path: "conformance")) }

  private static func table(_ example: ConformanceCase) throws -> RemappingTable {
    try RemappingTable(reading: (example.question["table"] ?? .null).canonicalJSON)
  }

  private static func event(_ example: ConformanceCase) throws -> (name: String, payload: [String: EventValue]) {
    guard case .string(let name) = try #require(example.question["event"]),
      case .object(let payload) = try #require(example.question["payload"])
    else { throw CancellationError() }
    return (name, payload)
  }

  @Test("applying a table, with a trace and without")
  func remapping() throws {
    for example in try Self.suite.get().cases(of: .remapping) {
      let (table, event) = (try Self.table(example), try Self.event(example))
      for remapped in [
        table.apply(to: event.name, payload: event.payload), table.trace(event.name, payload: event.payload).remapped,
      ] {
        let differences = example.differences(from: remapped.answer)
        #expect(differences.isEmpty, "\(example.id): \(differences)")
      }
    }
  }

  @Test("the inverse of a table")
  func inverse() throws {
    for example in try Self.suite.get().cases(of: .inverse) {
      let (table, event) = (try Self.table(example), try Self.event(example))
      var answer: [String: EventValue] = ["isInvertible": .bool(table.isInvertible)]
      if let old = table.inverted()?.apply(to: event.name, payload: event.payload) {
        answer["name"] = .string(old.name)
        answer["payload"] = .object(old.payload)
      }
      let differences = example.differences(from: answer)
      #expect(differences.isEmpty, "\(example.id): \(differences)")
    }
  }

  @Test("reading tables")
  func reading() throws {
    let cases = try Self.suite.get().cases(of: .reading).filter { $0.question["format"] == "remapping" }
    #expect(!cases.isEmpty)
    for example in cases {
      guard case .string(let text)? = example.question["text"] else { continue }
      let isAccepted = (try? RemappingTable(reading: text.utf8)) != nil
      #expect(example.differences(from: ["isAccepted": .bool(isAccepted)]).isEmpty, "\(example.id)")
    }
  }
}

extension RemappedEvent {
  fileprivate var answer: [String: EventValue] {
    [
      "name": .string(name), "payload": .object(payload), "clashes": .int(Int64(clashes)),
      "conversionFailures": .int(Int64(conversionFailures)), "lossyConversions": .int(Int64(lossyConversions)),
      "unmapped": .array(unmapped.map { .string($0.description) }),
    ]
  }
}
