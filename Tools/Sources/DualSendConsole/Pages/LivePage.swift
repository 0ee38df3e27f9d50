import DualSendCore

/// The page that lists events as they arrive.
struct LivePage: Sendable {
  let pairs: LiveComparison
  let showsValues: Bool
  let timeSource: TimeSource

  var state: [String: EventValue] {
    get async {
      [
        "showValues": .bool(showsValues), "totals": await pairs.totals, "sources": await pairs.sourcesJSON,
        "newest": .int(await pairs.newest), "kept": await pairs.holdings,
      ]
    }
  }

  func list(_ request: ConsoleRequest) async throws -> ConsoleAnswer {
    .json(await pairs.page(try LiveFilter(request.query)))
  }

  func entry(_ request: ConsoleRequest) async throws -> ConsoleAnswer {
    guard let id = EventID(request.path[2]), let detail = await pairs.detail(id, showsValues: showsValues) else {
      throw ConsoleFailure(404, "this event is not kept", help: "the console keeps only the newest events")
    }
    return .json(detail)
  }

  func stream(_ request: ConsoleRequest) async throws -> ConsoleAnswer {
    guard await pairs.canBeFollowed else {
      let count = await pairs.followers.limit
      throw ConsoleFailure(503, "\(count) pages already follow the events", help: "close some")
    }
    let seen = request.headers.lastEventID ?? request.query["after"]
    return .stream(LiveStream(of: pairs, after: seen.map { Int64($0) ?? 0 }, timeSource: timeSource))
  }
}
