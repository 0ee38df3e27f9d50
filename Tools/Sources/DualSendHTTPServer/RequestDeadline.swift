import NIOCore
import NIOHTTP1

/// Closes a connection whose client lets the server wait too long: for a whole head, for the next part of a body, or for the
/// next request. While an answer is under way, it is the answer that takes the time; a client that does not read it has as
/// long for each part.
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
