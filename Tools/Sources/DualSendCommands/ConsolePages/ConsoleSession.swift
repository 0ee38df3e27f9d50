import DualSend
import DualSendCommandLine
import DualSendConsole
import DualSendCore
import DualSendParity
import DualSendRemapping
import DualSendRollout
import Foundation

/// A running console: the server, what feeds it, and the pages' actions.
actor ConsoleSession {
  private let server: ConsoleServer
  private let pairs: LivePairs
  private let oldLog: String?
  private let idKey: String?
  private let timeSource: TimeSource
  private let workbench: Workbench
  private var tasks: [Task<Void, any Error>] = []

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
    workbench = try await Workbench(
      document: document, options: options, pairs: pairs, console: console, timeSource: timeSource)
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
    let address = try await server.start()
    tasks.append(
      Task { [workbench, timeSource] in
        while true {
          try await timeSource.sleep(.seconds(1))
          await workbench.look()
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

  /// Ends everything.
  func stop() async {
    for task in tasks { task.cancel() }
    tasks = []
    await server.stop()
  }
}
