import DualSendCore
import Foundation
import Testing

@testable import DualSendCodeGeneration

@Suite("The generator", .timeLimit(.minutes(5)))
struct CodeGeneratorTests {
  private static func large(events: Int) -> EventSpecification {
    EventSpecification(
      events: (0..<events).map { number in
        EventSpecification.Event(
          name: "screen\(number).button.tap", description: "A button was tapped.",
          parameters: ParameterType.Element.allCases.map { type in
            EventSpecification.Parameter(
              key: "key_\(type.rawValue)", type: ParameterType(type), isNullable: number.isMultiple(of: 2),
              values: type == .string ? ["a", "b", "c"] : [], description: "What it means.")
          }, discussion: "More about it.")
      })
  }

  @Test("gives the same bytes whatever the order of the events")
  func order() throws {
    let events = Self.large(events: 40).events
    let generator = EventCodeGenerator()
    let code = try generator.code(for: EventSpecification(events: events))
    #expect(try generator.code(for: EventSpecification(events: events.reversed())).text == code.text)
    #expect(code.files.map(\.name) == code.files.map(\.name).sorted())
  }

  @Test("writes 500 events, each once")
  func many() throws {
    let code = try EventCodeGenerator().code(for: Self.large(events: 500))
    #expect(code.files.count == 500)
    #expect(code.text.components(separatedBy: ": TypedEvent {").count == 501)
  }

  @Test("names no type that an event could hide")
  func hiding() throws {
    let text = try EventCodeGenerator().code(for: Self.large(events: 1)).text
    let code = text.split(separator: "\n").map { String($0.drop { $0 == " " }) }.filter {
      !$0.hasPrefix("//") && !$0.hasPrefix("import")
    }
    let names = code.joined(separator: "\n").replacing(/"[^"]*"/, with: "").matches(of: /\b[A-Z][A-Za-z0-9]*/).map {
      String($0.output)
    }
    let own = code.filter { $0.contains("enum ") || $0.contains("struct ") }.compactMap { line -> String? in
      let words = line.split(separator: " ").drop { $0 != "enum" && $0 != "struct" }
      return words.dropFirst().first.map { String($0.filter { $0 != ":" }) }
    }
    let unknown = Set(names).subtracting(Set(own)).subtracting(SwiftName.reservedTypes)
    #expect(unknown.isEmpty, "\(unknown)")
    #expect(names.contains("CaseIterable"))
  }

  @Test("makes everything public if asked, and imports in public only what shows")
  func access() throws {
    let event = EventSpecification.Event(name: "tap", parameters: [.init(key: "a", type: ParameterType(.date))])
    let text = try EventCodeGenerator(access: .public).code(for: specification(event)).text
    #expect(text.contains("public import DualSend\n\npublic import struct Foundation.Date\n"))
    #expect(text.contains("public struct Tap: TypedEvent {"))
    #expect(text.contains("  public init(a: Date) {"))
  }

  @Test("gives files of names that differ in case alone names that every file system tells apart")
  func fileNames() throws {
    let events = [EventSpecification.Event(name: "a", swiftName: "Tap"), .init(name: "b", swiftName: "TAP")]
    let code = try EventCodeGenerator().code(for: EventSpecification(events: events))
    #expect(code.files.map(\.name) == ["TAP.swift", "Tap-2.swift"])
  }

  @Test("reads its settings, and refuses words that it does not know")
  func settings() throws {
    #expect(try EventCodeGenerator(reading: #"{"formatVersion": 1, "access": "public"}"#.utf8).access == .public)
    let error = #expect(throws: DocumentError.self) {
      try EventCodeGenerator(reading: #"{"formatVersion": 1, "access": "open", "acess": "public"}"#.utf8)
    }
    #expect(error?.diagnostics.map(\.code.rawValue) == ["DS0305", "DS0003"])
  }
}
