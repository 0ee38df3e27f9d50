package import FlyingSocks

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A pool that switches Nagle's algorithm off on every socket that it waits for.
///
/// The server writes an answer's head and body apart, and a client on the same machine delays its acknowledgement:
/// with the algorithm on, each answer takes 40 ms. Connections inherit the option from the listening socket, which is
/// the first one to be waited for.
package struct LowLatencySocketPool<Base: AsyncSocketPool>: AsyncSocketPool {
  private static var noDelay: BoolSocketOption {
    BoolSocketOption(level: Int32(IPPROTO_TCP), name: TCP_NODELAY)
  }

  private let base: Base

  package init(base: Base) {
    self.base = base
  }

  package func prepare() async throws {
    try await base.prepare()
  }

  package func run() async throws {
    try await base.run()
  }

  package func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
    try socket.setValue(true, for: Self.noDelay)
    try await base.suspendSocket(socket, untilReadyFor: events)
  }
}
