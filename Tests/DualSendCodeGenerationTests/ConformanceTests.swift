import DualSendConformance
import DualSendCore
import DualSendRemapping
import Foundation
import Testing

@testable import DualSendCodeGeneration

@Suite("The conformance suite holds for")
struct ConformanceTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Fixtures/conformance")

  @Test("generated code, wherever it knows the new form without asking the whole rule")
  func generated() throws {
    var count = 0
    for example in try ConformanceSuite(Self.folder).cases(of: .remapping) {
      guard case .string(let name)? = example.question["event"],
        case .object(let payload)? = example.question["payload"],
        let parameters = Self.parameters(of: payload)
      else { continue }
      let table = try RemappingTable((example.question["table"] ?? .null).canonicalJSON)
      let event = EventSpecification.Event(name: name, parameters: parameters)
      let plan = NewFormPlan(event, by: table)
      let values = payload.compactMapValues(\.native)
      guard let new = PlanInterpreter(event: event, plan: plan).newParameters(of: values) else { continue }
      var converter = EventValueConverter()
      #expect(plan.name.isExactly(table.apply(to: name, payload: payload).name), "\(example.id)")
      let answer = example.answer.merging(["payload": .object(converter.convert(new))]) { $1 }
      let differences = example.differences(from: answer)
      #expect(differences.isEmpty, "\(example.id): \(differences)")
      count += 1
    }
    #expect(count >= 100)
  }

  /// The specification that has just these values; `nil` if there is none.
  private static func parameters(of payload: [String: EventValue]) -> [EventSpecification.Parameter]? {
    var parameters: [EventSpecification.Parameter] = []
    for (key, value) in payload.sorted(by: { String.byteOrder($0.key, $1.key) }) {
      guard value.native != nil, let element = ParameterType.Element(rawValue: value.typeName) else { return nil }
      parameters.append(EventSpecification.Parameter(key: key, type: ParameterType(element)))
    }
    return parameters
  }
}

extension EventValue {
  /// The scalar as Swift's own type; `nil` for anything else.
  fileprivate var native: (any Sendable)? {
    switch self {
    case .bool(let flag): flag
    case .int(let number): Int(number)
    case .double(let number): number
    case .string(let text): text
    case .null, .uint, .date, .array, .object: nil
    }
  }
}
