import DualSendCore
package import Foundation
import NIOCore
import NIOPosix

/// An HTTP server on 127.0.0.1 that announces open connections and closes them all the same. Every request gets the document,
/// unless its connection is closed first.
package final class ClosingServer: Sendable {
  /// When a connection is closed.
  package enum Moment: Sendable, CaseIterable {
    /// After each answer.
    case afterAnswer
    /// After the head of a request, without an answer: twice, and then never again.
    case afterHead
    /// When the test says so.
    case onDemand
  }

  private struct State: Sendable {
    var connections: [ObjectIdentifier: any Channel] = [:]
    var requests = 0
    var unanswered: Int
  }

  private let state: Locked<State>
  private let listener: any Channel
  package let url: URL

  /// Starts a server.
  ///
  /// - Parameter unanswered: the requests that get no answer with ``Moment/afterHead``.
  package init(closing moment: Moment, document: [UInt8], unanswered: Int = 2) async throws {
    let state = Locked(State(unanswered: moment == .afterHead ? unanswered : 0))
    let answer =
      Array("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(document.count)\r\n\r\n".utf8)
      + document
    listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let id = ObjectIdentifier(channel)
          state.withLock { $0.connections[id] = channel }
          channel.closeFuture.whenComplete { _ in state.withLock { $0.connections[id] = nil } }
          try channel.pipeline.syncOperations.addHandler(
            Handler { bytes in
              let isAnswered = state.withLock { state -> Bool in
                state.requests += 1
                guard state.unanswered > 0 else { return true }
                state.unanswered -= 1
                return false
              }
              return isAnswered ? (answer, moment == .afterAnswer) : ([], true)
            })
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    self.state = state
    guard let port = listener.localAddress?.port, let url = URL(string: "http://127.0.0.1:\(port)/rollout.json") else {
      throw ChannelError.unknownLocalAddress
    }
    self.url = url
  }

  /// The requests so far.
  package var requests: Int { state.current.requests }

  /// Closes every open connection, without waiting for it.
  package func closeConnections() {
    for channel in state.current.connections.values { channel.close(promise: nil) }
  }

  /// Stops listening.
  package func stop() async {
    try? await listener.close()
    closeConnections()
  }

  /// Collects the head of a request, which has no body.
  private final class Handler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let answer: ([UInt8]) -> (bytes: [UInt8], closes: Bool)
    private var head: [UInt8] = []

    init(_ answer: @escaping ([UInt8]) -> (bytes: [UInt8], closes: Bool)) {
      self.answer = answer
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      head += unwrapInboundIn(data).readableBytesView
      guard head.suffix(4) == [13, 10, 13, 10] else { return }
      let (bytes, closes) = answer(head)
      head = []
      if !bytes.isEmpty { context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil) }
      if closes { context.close(promise: nil) }
    }
  }
}
