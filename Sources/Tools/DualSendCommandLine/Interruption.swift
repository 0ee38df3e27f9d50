import Dispatch
import Foundation

/// Waits for a signal to end the process.
package enum Interruption {
  /// Returns after SIGINT or SIGTERM, or when the task is cancelled. Until then, the signals do not end the process.
  ///
  /// - Returns: the signal; `nil` if the task was cancelled.
  @discardableResult
  package static func wait() async -> Int32? {
    let (signals, continuation) = AsyncStream.makeStream(of: Int32.self)
    let sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number)
      source.setEventHandler { continuation.yield(number) }
      source.resume()
      return source
    }
    let received = await signals.first { _ in true }
    for source in sources { source.cancel() }
    for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
    return received
  }
}
