package import DualSendCore
package import Foundation

/// How a ``ConsoleServer`` is set up.
package struct ConsoleConfiguration: Sendable {
  /// The port on the loopback interface; 0 takes any that is free.
  package var port: UInt16 = 0
  /// Names that the server goes by beside those of this machine.
  package var hostNames: [String] = []
  /// The folder that the page is in; `nil` for the one that is built in.
  package var pageFolder: URL?
  /// The longest body of a batch of events or of mirrored pairs, in bytes, before and after decompression.
  package var maximumBatchBytes = 16 << 20
  /// The longest body of a request of the page, in bytes.
  package var maximumRequestBytes = 4 << 20
  /// How many pages can follow the live events at once; further ones are refused.
  package var maximumStreams = 16
  /// The clocks.
  package var timeSource = TimeSource.system

  package init() {}
}
