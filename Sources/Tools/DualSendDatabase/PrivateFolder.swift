import Dispatch
import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A temporary folder that only its owner can access. Deleted with the last reference, and when a signal ends the
/// process.
final class PrivateFolder {
  let url: URL
  private let signals: [EndingSignal]

  init() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("dualsend-\(UUID())")
    self.url = url
    try FileManager.default.createDirectory(
      at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    signals = [SIGINT, SIGTERM, SIGHUP].compactMap { EndingSignal($0) { try? FileManager.default.removeItem(at: url) } }
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }
}

/// Runs a closure before a signal ends the process.
private final class EndingSignal {
  private let number: Int32
  private let source: any DispatchSourceSignal

  /// `nil` if the signal does not end the process, because it is ignored or handled.
  init?(_ number: Int32, _ body: @escaping @Sendable () -> Void) {
    let former = signal(number, SIG_IGN)
    guard unsafeBitCast(former, to: Int.self) == unsafeBitCast(SIG_DFL, to: Int.self) else {
      signal(number, former)
      return nil
    }
    self.number = number
    source = DispatchSource.makeSignalSource(signal: number, queue: .global(qos: .userInitiated))
    source.setEventHandler {
      body()
      signal(number, SIG_DFL)
      kill(getpid(), number)
    }
    source.resume()
  }

  deinit {
    source.cancel()
    signal(number, SIG_DFL)
  }
}
