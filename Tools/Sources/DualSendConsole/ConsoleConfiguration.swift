import DualSendCore
import Foundation

/// How a ``ConsoleServer`` is set up.
struct ConsoleConfiguration: Sendable {
  /// The port on the loopback interface; 0 takes any that is free.
  var port: UInt16 = 0
  /// Names that the server goes by beside those of this machine.
  var hostNames: [String] = []
  /// The folder that the page is in; `nil` for the one that is built in.
  var pageFolder: URL?
  /// The longest body of a batch of events or of mirrored pairs, in bytes, before and after decompression.
  var maximumBatchBytes = 16 << 20
  /// The longest body of a request of the page, in bytes.
  var maximumRequestBytes = 4 << 20
  /// The clocks.
  var timeSource = TimeSource.system

  init() {}
}
