import NIOCore
import NIOHTTP1

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
