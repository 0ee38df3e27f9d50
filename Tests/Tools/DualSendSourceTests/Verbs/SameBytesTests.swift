import Foundation
import Testing

/// Every process orders its dictionaries by a seed of its own, and threads end in any order. Nothing that a command
/// writes may show that.
@Suite("The same sources give the same bytes", .timeLimit(.minutes(5)))
struct SameBytesTests {
  private static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../../..").standardized.path

  private static let newsstand = repository + "/Examples/Newsstand"

  private func awkward() throws -> TemporaryApp {
    let app = try TemporaryApp()
    let folder = Self.repository + "/Fixtures/Sources/Awkward"
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name.hasSuffix(".swift.txt") {
      try app.write(
        String(name.dropLast(4)), try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name)))
    }
    return app
  }

  @Test("on one thread and on many", arguments: ["text", "json", "sarif"])
  func threads(form: String) async throws {
    let app = try awkward()
    let paths = [Self.newsstand + "/Sources/Newsstand/Audio", app.path]
    let one = await VerbRun.of(["inventory"] + paths + ["--threads", "1", "--format", form])
    #expect(one.results.utf8.count > 5_000)
    let many = await VerbRun.of(["inventory"] + paths + ["--threads", "9", "--format", form])
    #expect(many.results == one.results)
    #expect(many.diagnostics == one.diagnostics)
  }

  @Test("in every process")
  func processes() throws {
    let app = try awkward()
    let table = Self.newsstand + "/Documents/remapping.json"
    let sources = Self.newsstand + "/Sources/Newsstand"
    for arguments in [
      ["inventory", sources + "/Profile", app.path, "--format", "json"], ["inventory", app.path],
      ["inventory", "--remap", table, sources + "/Settings", sources + "/Logging", "--format", "csv"],
    ] {
      let first = try BuiltCommand.run(arguments, in: app)
      #expect([0, 1].contains(first.status) && !first.results.isEmpty)
      for _ in 0..<2 {
        let other = try BuiltCommand.run(arguments, in: app)
        #expect(other == first, "\(arguments.joined(separator: " "))")
      }
    }
  }
}
