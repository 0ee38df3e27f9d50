import DualSendCodeGeneration
import DualSendCore
import Foundation
import Testing

@Suite("Specification fixtures", .timeLimit(.minutes(5)))
struct SpecificationFixtureTests {
  @Test("every valid file is read", arguments: try Fixture.names(in: "valid"))
  func valid(_ name: String) throws {
    #expect(try !EventSpecification(reading: Fixture.bytes("valid/" + name), name: name).events.isEmpty)
  }

  @Test("every invalid file is refused with the code in its name", arguments: try Fixture.names(in: "invalid"))
  func invalid(_ name: String) throws {
    let error = #expect(throws: DocumentError.self) {
      try EventSpecification(reading: Fixture.bytes("invalid/" + name), name: name)
    }
    #expect(error?.diagnostics.map(\.code.rawValue) == [String(name.prefix(6))])
    #expect(error?.diagnostics.allSatisfy { $0.position != nil && $0.file == name } == true)
  }

  @Test("so is every invalid Markdown file", arguments: try Fixture.names(in: "markdown"))
  func invalidMarkdown(_ name: String) throws {
    let error = #expect(throws: DocumentError.self) {
      try EventSpecification(markdown: [Fixture.markdown("markdown/" + name)])
    }
    #expect(error?.diagnostics.map(\.code.rawValue) == [String(name.prefix(6))], "\(error.map { "\($0)" } ?? "")")
    #expect(error?.diagnostics.allSatisfy { $0.position != nil && $0.file == "markdown/" + name } == true)
  }

  @Test("a folder of Markdown files and one JSON file are the same specification")
  func bothForms() throws {
    let folder = try EventSpecification(contentsOf: Fixture.folder.appendingPathComponent("shop"))
    #expect(folder.events.count == 6)
    #expect(try folder == EventSpecification(contentsOf: Fixture.folder.appendingPathComponent("shop.json")))
  }

  @Test("what is written in either form is read as the same again", arguments: ["shop.json", "valid/comments.json"])
  func written(_ name: String) throws {
    let read = try EventSpecification(reading: Fixture.bytes(name))
    #expect(try EventSpecification(reading: read.json.utf8) == read)
    let files = try read.events.map {
      EventSpecification.MarkdownFile(name: $0.name, bytes: Array(try #require($0.markdown).utf8))
    }
    #expect(try EventSpecification(markdown: files) == read)
  }

  @Test("a hostile specification comes back from JSON, and is not written as Markdown")
  func hostile() throws {
    let read = try EventSpecification(reading: Fixture.bytes("hostile.json"))
    #expect(try EventSpecification(reading: read.json.utf8) == read)
    #expect(read.events.first { $0.name == "protocol" }?.markdown == nil)
  }
}
