import DualSend
package import DualSendCommandLine
package import DualSendCommands
package import DualSendCore
import DualSendParity
import DualSendRemapping
package import DualSendRollout
package import Foundation

/// A running console: the server, its sources of events, and the pages' actions.
package actor ConsoleSession {
  private let server: ConsoleServer
  private let pairs: LiveComparison
  private let oldLog: String?
  private let idKey: String?
  private let timeSource: TimeSource
  private let pages: ConsolePages
  private var tasks: [Task<Void, any Error>] = []

  /// Reads the document and the table.
  ///
  /// - Throws: `DocumentError` if one is refused, ``CommandError`` if one cannot be read.
  package init(
    document: DocumentInput?, options: ConsoleOptions, context: DecisionContext, terminal: Terminal,
    timeSource: TimeSource = .system
  ) async throws {
    var limits = LiveLimits()
    limits.lostAfter = .seconds(options.lostAfter)
    pairs = LiveComparison(limits: limits, context: context, hasOldLog: options.oldLog != nil, timeSource: timeSource)
    var configuration = ConsoleConfiguration()
    configuration.port = options.port
    configuration.hostNames = options.allowHost
    configuration.pageFolder = options.page.map { URL(fileURLWithPath: $0) }
    configuration.timeSource = timeSource
    pages = try await ConsolePages(
      document: document, options: options, pairs: pairs, configuration: configuration, terminal: terminal)
    server = ConsoleServer(configuration, pairs: pairs, pages: pages)
    (oldLog, idKey, self.timeSource) = (options.oldLog, options.idKey, timeSource)
  }

  /// Starts the server and follows the files. Returns the page's address.
  package func start() async throws -> URL {
    let address = try await server.start()
    tasks.append(
      Task { [pages, timeSource] in
        while true {
          try await timeSource.sleep(.seconds(1))
          await pages.refresh()
        }
      })
    if let oldLog { follow(URL(fileURLWithPath: oldLog)) }
    return address
  }

  private func follow(_ file: URL) {
    let follower = OldLogFollower(file, idKey: idKey)
    tasks.append(
      Task { [pairs, timeSource] in
        var follower = follower
        while true {
          guard await pairs.hasRoomForOldEvents else {
            try await timeSource.sleep(.milliseconds(200))
            continue
          }
          let lines = follower.next()
          if lines.events.isEmpty, lines.malformed == 0 {
            try await timeSource.sleep(.milliseconds(200))
          } else {
            await pairs.addOld(lines.events, malformed: lines.malformed)
          }
        }
      })
  }

  /// Stops the server and follows no file any longer.
  package func stop() async {
    for task in tasks { task.cancel() }
    tasks = []
    await server.stop()
  }
}
