import DualSendCore
import Foundation

/// A loopback port that neither accepts nor refuses connections, like behind a firewall that drops packets: its accept
/// queue is full.
final class UnansweredPort {
  let url: URL
  private var sockets: [Int32] = []

  init() throws {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let listener = try Self.socket()
    sockets.append(listener)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    try Self.with(&address) { pointer in
      guard bind(listener, pointer, length) == 0, listen(listener, 0) == 0,
        getsockname(listener, pointer, &length) == 0
      else { throw Self.failure("bind") }
    }
    let port = UInt16(bigEndian: address.sin_port)
    guard let url = URL(string: "http://127.0.0.1:\(port)/") else { throw Self.failure("url") }
    self.url = url
    // More than any system queues for a backlog of 0.
    for _ in 0..<8 {
      let client = try Self.socket()
      sockets.append(client)
      _ = fcntl(client, F_SETFL, O_NONBLOCK)
      _ = Self.with(&address) { connect(client, $0, length) }
    }
  }

  deinit {
    for socket in sockets { close(socket) }
  }

  private static func socket() throws -> Int32 {
    #if canImport(Glibc)
      let descriptor = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let descriptor = Foundation.socket(AF_INET, SOCK_STREAM, 0)
    #endif
    guard descriptor >= 0 else { throw failure("socket") }
    return descriptor
  }

  private static func with<Result>(
    _ address: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>) throws -> Result
  ) rethrows -> Result {
    try withUnsafeMutablePointer(to: &address) { pointer in
      try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { try body($0) }
    }
  }

  private static func failure(_ call: String) -> HTTPTransportConformance.Violation {
    HTTPTransportConformance.Violation(description: "\(call) failed with \(errno)")
  }
}
