import Dispatch
import Foundation

/// Waits for the person at the terminal, or the system, to end the process.
enum Interruption {
  /// Returns after SIGINT or SIGTERM, or when the task is cancelled. Until then the signals do not end the process.
  static func wait() async {
    let (signals, continuation) = AsyncStream.makeStream(of: Void.self)
    let sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number)
      source.setEventHandler { continuation.yield() }
      source.resume()
      return source
    }
    for await _ in signals { break }
    for source in sources { source.cancel() }
    for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
  }
}
