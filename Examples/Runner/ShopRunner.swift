import DualSendCollector
import Foundation
import ShopModel

/// `shop DOCUMENTS`: runs every stage with a collector on this machine, which also serves the rollout.
@main
struct ShopRunner {
  static func main() async throws {
    guard CommandLine.arguments.count == 2 else {
      FileHandle.standardError.write(Data("usage: shop DOCUMENTS\n".utf8))
      exit(64)
    }
    let isClean = try await run(documents: URL(fileURLWithPath: CommandLine.arguments[1])) { print($0) }
    exit(isClean ? 0 : 1)
  }

  /// Whether every event arrived in exactly the sinks that the rollout selects.
  static func run(documents: URL, show: @escaping @Sendable (String) -> Void) async throws -> Bool {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("shop-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let collector = CollectorServer()
    let port = try await collector.start()
    guard let events = URL(string: "http://127.0.0.1:\(port)/events"),
      let rollout = URL(string: "http://127.0.0.1:\(port)/rollout.json")
    else { throw URLError(.badURL) }
    let settings = ShopSettings(
      folder: folder, documents: documents, collector: events, rollout: rollout, rolloutInterval: .milliseconds(50))
    var walk = Walk(settings, collector: collector, show: show)
    try await walk.run()
    await collector.stop()
    return walk.nothingIsLost
  }
}
