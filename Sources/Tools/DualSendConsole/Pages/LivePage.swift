import DualSend
import DualSendCore
import DualSendRollout

/// The page that lists events as they arrive.
struct LivePage: Sendable {
  let pairs: LiveComparison
  let showsValues: Bool
  let timeSource: TimeSource

  var state: [String: EventValue] {
    get async {
      [
        "showValues": .bool(showsValues), "totals": await pairs.totals, "sources": await pairs.sourcesJSON,
        "alarm": await pairs.banner, "newest": .int(await pairs.newest), "kept": await pairs.holdings,
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

/// Selects the entries that meet every given condition.
struct LiveFilter: Sendable {
  var before: Int64?
  var limit = 100
  var unit: String?
  var name: String?
  var states: Set<String>?
  var text: String?
  /// The states and outcomes whose names on the page contain the text.
  private var matchingStates: Set<LiveEntry.State> = []
  private var matchingOutcomes: Set<SinkDecision.Outcome?> = []
  /// The largest number of entries in one answer.
  static let maximumLimit = 1000

  /// Reads `before`, `limit`, `unit`, `name`, `state` (several separated by commas) and `q`.
  ///
  /// `q` searches the columns of the page's list: names, units, ids, states, outcomes and reasons. It does not search
  /// payloads, because that would reveal hidden values by guessing.
  init(_ query: [String: String]) throws(ConsoleFailure) {
    if let text = query["before"] {
      guard let before = Int64(text) else { throw ConsoleFailure(400, "`before` is not a sequence") }
      self.before = before
    }
    if let text = query["limit"] {
      guard let limit = Int(text), (1...Self.maximumLimit).contains(limit) else {
        throw ConsoleFailure(400, "`limit` is not a number from 1 to \(Self.maximumLimit)")
      }
      self.limit = limit
    }
    func word(_ key: String) -> String? { query[key].flatMap { $0.isEmpty ? nil : $0 } }
    unit = word("unit")
    name = word("name")?.lowercased()
    text = word("q")?.lowercased()
    if let text {
      matchingStates = Set(LiveEntry.State.allCases.filter { $0.word.contains(text) })
      matchingOutcomes = Set(
        (SinkDecision.Outcome.allCases + [nil]).filter { ($0?.rawValue.spaced ?? "not known").contains(text) })
    }
    states = word("state").map { Set($0.split(separator: ",").map(String.init)) }
  }

  func matches(_ entry: borrowing LiveEntry) -> Bool {
    if let states, !entry.states.contains(where: { states.contains($0.rawValue) }) { return false }
    if let unit, entry.unit?.isExactly(unit) != true { return false }
    if let name, !Self.contains(entry.oldName, name), !Self.contains(entry.newName, name) { return false }
    guard let text else { return true }
    return entry.states.contains(where: matchingStates.contains) || matchingOutcomes.contains(entry.decision?.outcome)
      || Self.contains(entry.oldName, text) || Self.contains(entry.newName, text)
      || Self.contains(entry.unit ?? "no unit", text)
      || entry.id.description.contains(text) || Self.contains(entry.decision?.reason, text)
  }

  private static func contains(_ text: String?, _ part: String) -> Bool {
    text?.lowercased().contains(part) ?? false
  }
}

extension String {
  /// `oldOnly` as `old only`.
  fileprivate var spaced: String { replacing(/[A-Z]/) { " " + $0.output.lowercased() } }
}
