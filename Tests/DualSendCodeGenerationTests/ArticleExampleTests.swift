import DualSend
import DualSendCodeGeneration
import DualSendCore
import Foundation
import Testing

private func log(to logger: any EventLogging) {
  // DualSendCodeGeneration: a generated event
  logger.log(HomeLikeButtonTap(itemID: 42, liked: ._1, uid: "u-7"))
  // DualSendCodeGeneration: the end
}

private func drafted(from examples: [any TypedEvent]) -> String {
  // DualSendCodeGeneration: a draft
  var draft = EventSpecificationDraft()
  for event in examples { draft.add(name: event.name, parameters: event.parameters) }
  let json = draft.finished().specification.json
  // DualSendCodeGeneration: the end
  return json
}

@Suite("The examples of the article about generated events", .timeLimit(.minutes(5)))
struct ArticleExampleTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private func article() throws -> String {
    let path = "Sources/DualSendCodeGeneration/DualSendCodeGeneration.docc/DualSendCodeGeneration.md"
    return try String(contentsOf: Self.root.appendingPathComponent(path), encoding: .utf8)
  }

  /// The code blocks of a language.
  private func blocks(_ language: String) throws -> [String] {
    try article().components(separatedBy: "\n```\(language)\n").dropFirst()
      .map { $0.components(separatedBy: "\n```\n")[0] }
  }

  @Test("stand there as they are compiled here", arguments: ["a generated event", "a draft"])
  func verbatim(_ name: String) throws {
    let source = try String(contentsOfFile: #filePath, encoding: .utf8)
    let example = try #require(source.components(separatedBy: "// DualSendCodeGeneration: \(name)\n").dropFirst().first)
      .components(separatedBy: "  // DualSendCodeGeneration: the end")[0]
    let lines = example.split(separator: "\n").map { $0.dropFirst(2) }.joined(separator: "\n")
    #expect(try blocks("swift").contains(lines))
  }

  @Test("the plugin is used as the example does")
  func plugin() throws {
    let manifest = try String(
      contentsOf: Self.root.appendingPathComponent("Examples/Package.swift"), encoding: .utf8
    ).replacing(#" path: "Generated","#, with: "")
    let lines = try #require(blocks("swift").first { $0.hasPrefix(".executableTarget") })
    #expect(manifest.contains(lines.split(separator: "\n").map { "    " + $0 }.joined(separator: "\n")))
  }

  @Test("its Markdown, its JSON and its settings are read")
  func documents() throws {
    #expect(try markdown(blocks("markdown")[0] + "\n").events.map(\.parameters.count) == [3])
    let json = try blocks("json")
    #expect(try EventSpecification(reading: json[0].utf8).events.map(\.parameters.count) == [3])
    #expect(try EventSpecification(reading: json[1].utf8) == markdown(blocks("markdown")[1] + "\n"))
    #expect(try EventCodeGenerator(reading: json[2].utf8).access == .public)
  }

  @Test("do what it says")
  func run() throws {
    let logged = Locked<[String]>([])
    log(to: SinkGroup([.plain("names") { name, _ in logged.withLock { $0.append(name) } }]))
    #expect(logged.current == ["home.like_button.tap"])
    #expect(
      try EventSpecification(reading: drafted(from: [AppBackground()]).utf8).events.map(\.name) == ["app.background"])
  }
}
