import DualSend
import DualSendConsole
@_spi(Tools) import DualSendCore
import DualSendParity
@_spi(Tools) import DualSendRemapping
@_spi(Tools) import DualSendRollout
import Foundation

/// A running console: the server, what feeds it, and the pages' actions.
actor ConsoleSession {
  private let server: ConsoleServer
  private let pairs: LivePairs
  private let oldLog: String?
  private let idKey: String?
  private let timeSource: TimeSource
  private var following: Task<Void, any Error>?

  /// Reads the document and the table.
  ///
  /// - Throws: `DocumentError` if one is refused, ``CommandError`` if one cannot be read.
  init(
    document: DocumentInput?, options: ConsoleOptions, context: DecisionContext, console: Console,
    timeSource: TimeSource = .system
  ) async throws {
    var limits = LiveLimits()
    limits.lostAfter = .seconds(options.lostAfter)
    pairs = LivePairs(limits: limits, context: context, hasOldLog: options.oldLog != nil, timeSource: timeSource)
    let workbench = try await Workbench(document: document, options: options, pairs: pairs, console: console)
    var configuration = ConsoleConfiguration()
    configuration.port = options.port
    configuration.hostNames = options.allowHost
    configuration.pageFolder = options.page.map { URL(fileURLWithPath: $0) }
    configuration.timeSource = timeSource
    server = ConsoleServer(configuration, pairs: pairs, workbench: workbench, showsValues: options.showValues)
    (oldLog, idKey, self.timeSource) = (options.oldLog, options.idKey, timeSource)
  }

  /// Starts to listen and to follow, and returns the page's address.
  func start() async throws -> URL {
    if let oldLog {
      var follower = OldLogFollower(URL(fileURLWithPath: oldLog), idKey: idKey)
      following = Task { [pairs, timeSource] in
        while true {
          let lines = follower.next()
          if lines.events.isEmpty, lines.malformed == 0 {
            try await timeSource.sleep(.milliseconds(200))
          } else {
            await pairs.addOld(lines.events, malformed: lines.malformed)
          }
        }
      }
    }
    return try await server.start()
  }

  /// Ends everything.
  func stop() async {
    following?.cancel()
    await server.stop()
  }
}
