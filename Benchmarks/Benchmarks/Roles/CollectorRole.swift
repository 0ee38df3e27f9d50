import DualSendCollector
import Foundation

/// A collector in a process of its own.
@MainActor
struct CollectorProcess {
  let url: URL
  private let process: ChildProcess

  init() throws {
    process = try ChildProcess(.collector)
    guard let url = process.readLine().flatMap({ URL(string: $0) }) else {
      throw InvalidRun(description: "the collector did not start")
    }
    self.url = url
  }

  /// Ends the collector and returns how many different events it has received.
  func finish() -> Int? {
    process.finish().flatMap { Int($0) }
  }

  /// What the child does: prints its address, collects until its input ends, prints how many events it has.
  static func serve() async throws {
    let server = CollectorServer(CollectorConfiguration(keptEvents: 0, readsPayloads: false))
    try await server.start()
    guard let url = await server.url() else { throw InvalidRun(description: "the collector does not listen") }
    say(url.absoluteString)
    await Task.detached { _ = try? FileHandle.standardInput.readToEnd() }.value
    say(String(await server.totals.accepted))
    await server.stop()
  }
}

/// Writes a line that the parent process reads.
func say(_ line: String) {
  FileHandle.standardOutput.write(Data((line + "\n").utf8))
}
