import DualSendCodeGeneration
import DualSendCore
import Foundation
import Testing

@Suite("A parameter without a row")
struct MissingRowTests {
  private static let event = EventSpecification.Event(
    name: "home.tap",
    parameters: ["item_id", "pos"].map { .init(key: $0, type: ParameterType(.int)) }
      + [.init(key: "ctx", type: ParameterType(.object))])

  private static let table = """
    {
      "formatVersion": 1,
      "events": {
        "home.tap": { "parameters": { "item_id": "new_item_id", "ctx": "context" } },
        "deep": { "parameters": { "item_id": "new_item_id", "ctx.screen": "screen" } }
      }
    }
    """

  private func code(
    _ event: EventSpecification.Event = event, table: String = table,
    _ missingRows: EventCodeGenerator.MissingRows = .fail
  ) throws -> GeneratedCode {
    try EventCodeGenerator(missingRows: missingRows).code(
      for: specification(event), remapping: RemappingSource(table.utf8, name: "remapping.json"))
  }

  @Test("is named with the place in the table where the row is missing")
  func warning() throws {
    #expect(
      try code().warnings.map(\.description) == [
        """
        warning[DS0312]: no row maps "pos" of `home.tap`: the generated code does not compile
          --> remapping.json:4:5  events."home.tap".parameters
           = help: add a row; "pos": "pos" if it stays as it is
        """
      ])
    var other = Self.event
    other.name = "other"
    #expect(try code(other).warnings.count == 3)
    #expect(try code(other).warnings.first?.position?.line == 3)
  }

  @Test("goes the table's way if that is asked for")
  func follows() throws {
    #expect(try code(.follow).warnings.isEmpty)
    #expect(try code(.follow).text.contains("NewForm(newItemID: self.itemID, pos: self.pos, context: self.ctx)"))
  }

  private func code(_ missingRows: EventCodeGenerator.MissingRows) throws -> GeneratedCode {
    try code(Self.event, missingRows)
  }

  @Test("is what the compiler says is missing, be the new form typed or the rule's", arguments: ["home.tap", "deep"])
  func compiler(_ name: String) throws {
    var event = Self.event
    event.name = name
    let (failed, errors) = try Compilation.errors(in: code(event).text)
    #expect(failed)
    #expect(
      errors.count == 1 && errors.first?.contains("missing argument for parameter 'pos' in call") == true, "\(errors)")
    let (failedToo, noErrors) = try Compilation.errors(in: code(event, .follow).text)
    #expect(!failedToo, "\(noErrors)")
  }
}

/// What the compiler says about generated code, with stand-ins for the modules that it imports.
private enum Compilation {
  private static let standIns = """
    protocol TypedEvent: Sendable { var name: String { get }; var parameters: [String: any Sendable] { get } }
    protocol DualTypedEvent: TypedEvent { var newName: String { get }; var newParameters: [String: any Sendable] { get } }
    enum EventValue: Sendable { case int(Int), object([String: EventValue]) }
    struct GeneratedConversion: Sendable {}
    struct GeneratedRemapping: Sendable {
      enum Step: ExpressibleByStringLiteral { case each, key(String); init(stringLiteral key: String) { self = .key(key) } }
      struct Path { init(_ first: String, _ others: Step...) {} }
      struct Row { init(_ source: Path, to target: Path, _ conversion: GeneratedConversion? = nil) {} }
      init(rows: [Row], constants: [Int], keepsUnmapped: Bool, payloadWinsClashes: Bool) {}
      func callAsFunction(_ parameters: [String: any Sendable]) -> [String: any Sendable] { parameters }
    }
    """

  static func errors(in code: String) throws -> (failed: Bool, errors: [String]) {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("compilation-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("main.swift")
    let text = code.split(separator: "\n").filter { !$0.contains("import ") }.joined(separator: "\n")
    try Data((standIns + "\n" + text).utf8).write(to: file)
    let log = folder.appendingPathComponent("log")
    try Data().write(to: log)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["swiftc", "-typecheck", "-swift-version", "6", file.path]
    process.standardError = try FileHandle(forWritingTo: log)
    try process.run()
    process.waitUntilExit()
    let lines = try String(contentsOf: log, encoding: .utf8).split(separator: "\n")
    return (
      process.terminationStatus != 0,
      lines.filter { $0.hasPrefix(file.path) && $0.contains(" error: ") }.map(String.init)
    )
  }
}
