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
  private let options: ConsoleOptions
  private let timeSource: TimeSource
  private let pages: ConsolePages
  private let terminal: Terminal
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
    pairs = LiveComparison(
      limits: limits, context: context, hasOldLog: options.oldLog != nil,
      gate: options.gate.gate(otherwise: .perMille), timeSource: timeSource)
    var configuration = ConsoleConfiguration()
    configuration.port = options.port
    configuration.hostNames = options.allowHost
    configuration.pageFolder = options.page.map { URL(fileURLWithPath: $0) }
    configuration.timeSource = timeSource
    pages = try await ConsolePages(
      document: document, options: options, pairs: pairs, configuration: configuration, terminal: terminal)
    server = ConsoleServer(configuration, pairs: pairs, pages: pages)
    (self.options, self.terminal, self.timeSource) = (options, terminal, timeSource)
  }

  /// Starts the server and follows the files. Returns the page's address.
  package func start() async throws -> URL {
    let address = try await server.start()
    if pairs.disk == nil {
      terminal.note("warning: no temporary file can be made, so pairs with large payloads are not compared")
    }
    tasks.append(
      Task { [pages, timeSource] in
        while true {
          try await timeSource.sleep(.seconds(1))
          await pages.refresh()
        }
      })
    if let webhook = options.alarm.webhook(on: terminal) {
      tasks.append(
        Task { [pages, terminal, timeSource] in
          try await pages.tell(webhook, on: terminal, timeSource: timeSource)
        })
    }
    if let file = options.oldLog.map({ URL(fileURLWithPath: $0) }) {
      await begin(.oldLog, file)
      follow(
        LogFollower(
          old: file, idKey: options.join.idKey, isRecording: options.fromStart,
          format: options.formats.old.lines), of: file
      ) {
        [pairs] lines in
        await pairs.addOld(lines.events, malformed: lines.malformed)
      }
    }
    if let file = options.newLog.map({ URL(fileURLWithPath: $0) }) {
      await begin(.collector, file)
      follow(LogFollower(new: file, isRecording: options.fromStart, format: options.formats.new.lines), of: file) {
        [pairs] lines in
        _ = await pairs.addNew(lines.events, malformed: lines.malformed)
      }
    }
    return address
  }

  /// Says what will not be read of a file.
  private func begin(_ source: LiveSource, _ file: URL) async {
    let note: String
    switch Result(catching: { try OpenedFile.ifAny(file.path)?.size }) {
    case .failure(let error): note = (error as? CommandError)?.message ?? "\(error)"
    case .success(nil): note = "\(file.path) does not exist yet: it is read when it does"
    case .success(let bytes?) where bytes > 0 && !options.fromStart:
      note = "\(file.path) is read from its end; --from-start reads what it has too"
    default: return
    }
    await pairs.note(note, about: source)
    terminal.note("note: " + note)
  }

  private func follow<Event: Sendable>(
    _ follower: LogFollower<Event>, of file: URL,
    add: @escaping @Sendable (LogFollower<Event>.Lines) async -> Void
  ) {
    tasks.append(
      Task { [pairs, terminal, timeSource] in
        var (follower, told) = (follower, String?.none)
        while true {
          guard await pairs.hasRoomForLoggedEvents else {
            try await timeSource.sleep(.milliseconds(200))
            continue
          }
          let lines = follower.next()
          if follower.problem != told {
            told = follower.problem
            if let told { terminal.note("warning: " + told) }
          }
          if lines.events.isEmpty, lines.malformed.count == 0 {
            try await timeSource.sleep(.milliseconds(200))
          } else {
            if let first = lines.malformed.first { terminal.note("note: \(file.path), \(first)") }
            await add(lines)
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
