import Foundation
import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import NIOPosix

/// An HTTP/1.1 server with limits on all resources that a client can use.
package actor HTTPServer {
  /// Why the server cannot listen.
  package struct Failure: Error, CustomStringConvertible {
    /// The system's message.
    package let description: String
  }

  /// Returns the largest body for a request, in bytes.
  package typealias BodyLimit = @Sendable (HTTPServerRequest.Head) -> Int
  /// Responds to a request; `nil` closes the connection. Cancelled when the connection ends.
  package typealias Respond = @Sendable (HTTPServerRequest) async throws -> HTTPServerAnswer?

  private typealias Connection = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>

  private let limits: HTTPServerLimits
  private let bodyLimit: BodyLimit
  private let respond: Respond
  private let connections = OpenConnections()
  private var listeners: [any Channel] = []

  package init(
    limits: HTTPServerLimits = HTTPServerLimits(), bodyLimit: @escaping BodyLimit, respond: @escaping Respond
  ) {
    (self.limits, self.bodyLimit, self.respond) = (limits, bodyLimit, respond)
  }

  deinit {
    for listener in listeners { listener.close(promise: nil) }
  }

  /// Listens on a local address, and returns the port.
  ///
  /// - Parameter port: 0 for any free port.
  /// - Throws: ``Failure``.
  package func listen(on host: String, port: UInt16) async throws -> UInt16 {
    let listener: any Channel
    do { listener = try await bind(host, port) } catch {
      let reason = (error as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? "\(error)"
      throw Failure(description: reason)
    }
    listeners.append(listener)
    guard let port = listener.localAddress?.port else { throw Failure(description: "the socket has no address") }
    return UInt16(port)
  }

  private func bind(_ host: String, _ port: UInt16) async throws -> any Channel {
    try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      // The system's own limit (`net.core.somaxconn`) is often lower, and holds.
      .serverChannelOption(.backlog, value: 4096)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .serverChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(AcceptBackoff()) }
      }
      // A response's head and body are separate packets, and a local client delays its acknowledgement.
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelInitializer { [limits, connections, bodyLimit, respond] channel in
        channel.eventLoop.makeCompletedFuture {
          var decoding = NIOHTTPDecoderLimitConfiguration()
          (decoding.maxHeaderFieldSize, decoding.maxHeaderListSize) = (limits.headBytes, limits.headBytes)
          let pipeline = channel.pipeline.syncOperations
          try pipeline.configureHTTPServerPipeline(
            withEncoderConfiguration: HTTPResponseEncoder.Configuration(), withDecoderLimitConfiguration: decoding)
          try pipeline.addHandler(RequestDeadline(.init(limits.idleTime)))
          let connection = try Connection(wrappingChannelSynchronously: channel)
          connections.serve(limit: limits.connections, until: channel.closeFuture) { isTooMany in
            if isTooMany { return try await connection.executeThenClose { _, _ in } }
            let holds: Holds = { connections.addBody($0, limit: limits.bodyBytes) }
            try await Self.serve(connection, holds, bodyLimit, respond)
          }
        }
      }
      .bind(host: host, port: Int(port)).get()
  }

  /// Stops listening and closes all connections.
  package func stop() async {
    for listener in listeners { try? await listener.close() }
    listeners = []
    await connections.closeAll()
  }

  // MARK: Connections

  /// Responds to the requests of a connection until it ends.
  private static func serve(
    _ connection: Connection, _ holds: @escaping Holds, _ bodyLimit: @escaping BodyLimit, _ respond: @escaping Respond
  ) async throws {
    try await connection.executeThenClose { inbound, outbound in
      var parts = inbound.makeAsyncIterator()
      var held = 0
      defer { _ = holds(-held) }
      while let request = try await next(&parts, &held, holds, bodyLimit) {
        guard let answer = try await respond(request.request) else { return }
        let isBodiless = request.request.head.method == "HEAD" || [204, 304].contains(answer.status)
        try await send(answer, hasBody: !isBodiless, isKeptAlive: request.isKeptAlive, to: outbound)
        guard request.isKeptAlive else { return }
        _ = holds(-held)
        held = 0
      }
    }
  }

  private typealias Parts = NIOAsyncChannelInboundStream<HTTPServerRequestPart>.AsyncIterator

  /// Adds to the bytes of the bodies that all connections hold; `false`, and nothing added, if they would be too many.
  private typealias Holds = @Sendable (Int) -> Bool

  /// Reads a request. Reads even a body that is too large to its end, so that the client can read the response. Ends the
  /// connection, which a client tries again later, if the bodies of all are too large together.
  ///
  /// - Parameter held: receives the bytes that the body holds, also if the connection ends.
  private static func next(
    _ parts: inout Parts, _ held: inout Int, _ holds: Holds, _ bodyLimit: BodyLimit
  ) async throws -> (request: HTTPServerRequest, isKeptAlive: Bool)? {
    guard case .head(let received)? = try await parts.next() else { return nil }
    let head = HTTPServerRequest.Head(received)
    let limit = bodyLimit(head)
    var body: [UInt8]? = []
    var count = 0
    while case .body(let part)? = try await parts.next() {
      count += part.readableBytes
      if count > limit { body = nil }
      guard body != nil else { continue }
      guard holds(part.readableBytes) else { return nil }
      held += part.readableBytes
      body?.append(contentsOf: part.readableBytesView)
    }
    return (HTTPServerRequest(head: head, body: body), received.isKeepAlive)
  }

  private static func send(
    _ answer: HTTPServerAnswer, hasBody: Bool, isKeptAlive: Bool,
    to outbound: NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>
  ) async throws {
    var headers = HTTPHeaders(answer.headers.map { ($0.key, $0.value) })
    if !isKeptAlive { headers.replaceOrAdd(name: "Connection", value: "close") }
    let write: HTTPServerAnswer.Write = { bytes in
      try await outbound.write(.body(.byteBuffer(ByteBuffer(bytes: bytes))))
    }
    func begin(length: Int?) async throws {
      // The collector's faults may set their own length.
      if let length, !headers.contains(name: "Content-Length") {
        headers.add(name: "Content-Length", value: "\(length)")
      }
      let status = HTTPResponseStatus(statusCode: answer.status)
      try await outbound.write(.head(HTTPResponseHead(version: .http1_1, status: status, headers: headers)))
    }
    switch answer.body {
    case .bytes(let bytes):
      try await begin(length: bytes.count)
      if hasBody { try await write(bytes) }
    case .parts(let length, let send):
      try await begin(length: length)
      if hasBody { try await send(write) }
    }
    try await outbound.write(.end(nil))
  }
}

// MARK: - Open connections

/// The open connections with their tasks.
final class OpenConnections: Sendable {
  private struct State {
    var tasks: [Int: Task<Void, Never>] = [:]
    var last = 0
    var isClosed = false
    /// The bytes of the bodies that are being received or answered.
    var bodyBytes = 0
  }

  private let state = NIOLockedValueBox(State())

  /// Adds to the bytes of bodies; `false`, and nothing added, above a limit.
  fileprivate func addBody(_ bytes: Int, limit: Int) -> Bool {
    state.withLockedValue { state in
      guard state.bodyBytes + bytes <= limit else { return false }
      state.bodyBytes += bytes
      return true
    }
  }

  /// Serves a connection. Must be called for each connection, because only its task closes it.
  ///
  /// - Parameters:
  ///   - closed: completes when the connection ends; its task is then cancelled.
  ///   - serve: serves the connection; the argument tells whether the limit was reached.
  func serve(
    limit: Int, until closed: EventLoopFuture<Void>,
    _ serve: @escaping @Sendable (_ isTooMany: Bool) async throws -> Void
  ) {
    let task = state.withLockedValue { state in
      state.last += 1
      let (number, isTooMany) = (state.last, state.tasks.count >= limit)
      let task = Task {
        try? await serve(isTooMany)
        self.remove(number)
      }
      state.tasks[number] = task
      if state.isClosed { task.cancel() }
      return task
    }
    closed.whenComplete { _ in task.cancel() }
  }

  private func remove(_ number: Int) {
    state.withLockedValue { state in state.tasks[number] = nil }
  }

  /// Ends all connections. Returns when they have ended.
  func closeAll() async {
    let tasks = state.withLockedValue { state in
      state.isClosed = true
      return Array(state.tasks.values)
    }
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
  }
}

// MARK: - Request deadline

/// Closes a connection whose client is too slow to send a head, the next part of a body, or the next request, or to
/// read a part of the response. Does not limit the time until a response starts.
final class RequestDeadline: ChannelDuplexHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart

  private let time: TimeAmount
  private var deadline: Scheduled<Void>?
  private var unwritten = 0

  init(_ time: TimeAmount) {
    self.time = time
  }

  func channelActive(context: ChannelHandlerContext) {
    restart(context)
    context.fireChannelActive()
  }

  func channelInactive(context: ChannelHandlerContext) {
    deadline?.cancel()
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if case .end = unwrapInboundIn(data) { deadline?.cancel() } else { restart(context) }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    let isEnd = if case .end = unwrapOutboundIn(data) { true } else { false }
    let written = promise ?? context.eventLoop.makePromise()
    unwritten += 1
    restart(context)
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    written.futureResult.whenComplete { _ in
      let (handler, context) = bound.value
      handler.unwritten -= 1
      guard handler.unwritten == 0 else { return }
      if isEnd { handler.restart(context) } else { handler.deadline?.cancel() }
    }
    context.write(data, promise: written)
  }

  private func restart(_ context: ChannelHandlerContext) {
    deadline?.cancel()
    deadline = context.eventLoop.scheduleTask(in: time) { [channel = context.channel] in
      channel.close(promise: nil)
    }
  }
}

/// Retries every second when a listener cannot accept connections, for example without a free file descriptor.
final class AcceptBackoff: ChannelInboundHandler {
  typealias InboundIn = any Channel

  private static let pause = TimeAmount.seconds(1)

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard error is IOError else { return context.fireErrorCaught(error) }
    let channel = context.channel
    // Otherwise the socket would be polled in a busy loop.
    _ = channel.setOption(.autoRead, value: false)
    channel.eventLoop.scheduleTask(in: Self.pause) { _ = channel.setOption(.autoRead, value: true) }
  }
}
