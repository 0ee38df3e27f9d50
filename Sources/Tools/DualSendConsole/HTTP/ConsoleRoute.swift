import DualSendCommands

/// An address of the console, and its action.
struct ConsoleRoute: Sendable {
  typealias Action = @Sendable (ConsolePages, ConsoleRequest) async throws -> ConsoleAnswer

  /// The client of an address.
  enum Client: Sendable {
    /// Apps: any body, no `Origin`.
    case app
    /// The page: a POST has an `Origin` and a JSON object.
    case page
  }

  let client: Client
  let method: ConsoleRequest.Method
  /// The parts of the path below the token; `*` matches any one part.
  let path: [Substring]
  let action: Action

  init(_ client: Client, _ method: ConsoleRequest.Method, _ path: String, _ action: @escaping Action) {
    (self.client, self.method, self.action) = (client, method, action)
    self.path = path.split(separator: "/")
  }

  /// Whether the route matches a path, regardless of the method.
  func has(_ path: [String]) -> Bool {
    self.path.count == path.count && zip(self.path, path).allSatisfy { $0 == "*" || $0 == $1 }
  }

  /// Whether it changes nothing: each GET, and what a page asks with a text.
  var onlyReads: Bool {
    method == .get || ["check", "flag", "explain", "promote", "try"].contains(path.last) && client == .page
  }

  /// All addresses below the token except the page's files. `API.md` describes them in the same order.
  static let all: [ConsoleRoute] = [
    ConsoleRoute(.app, .post, "events") { try await $0.feed.events($1) },
    ConsoleRoute(.app, .post, "mirror") { try await $0.feed.mirror($1) },
    ConsoleRoute(.app, .get, "rollout.json") { try await $0.rollout.file($1) },
    ConsoleRoute(.app, .get, "rollout.json.sig") { pages, _ in try await pages.rollout.signatureFile() },

    ConsoleRoute(.page, .get, "api/state") { .json(await $0.state(for: $1)) },
    ConsoleRoute(.page, .get, "api/help") { _, _ in .json(ReferencePages.json) },
    ConsoleRoute(.page, .get, "api/live") { try await $0.live.list($1) },
    ConsoleRoute(.page, .get, "api/live/stream") { try await $0.live.stream($1) },
    ConsoleRoute(.page, .get, "api/live/*") { try await $0.live.entry($1) },

    ConsoleRoute(.page, .get, "api/rollout") { pages, _ in .json(try await pages.rollout.overview()) },
    ConsoleRoute(.page, .get, "api/rollout/changes") { pages, _ in .json(try await pages.rollout.changes()) },
    ConsoleRoute(.page, .get, "api/rollout/record/*") { .json(try await $0.rollout.recordEntry($1.path[3])) },
    ConsoleRoute(.page, .post, "api/rollout/check") { .json(try await $0.rollout.check($1)) },
    ConsoleRoute(.page, .post, "api/rollout/flag") { .json(try await $0.rollout.setFlag($1)) },
    ConsoleRoute(.page, .post, "api/rollout/explain") { .json(try await $0.rollout.explain($1)) },
    ConsoleRoute(.page, .post, "api/rollout/sign") { .json(try await $0.rollout.sign($1)) },
    ConsoleRoute(.page, .post, "api/rollout/publish") { try await $0.rollout.publish($1) },
    ConsoleRoute(.page, .post, "api/rollout/stop") { try await $0.rollout.stop($1) },
    ConsoleRoute(.page, .post, "api/rollout/rollback") { try await $0.rollout.rollBack($1) },

    ConsoleRoute(.page, .get, "api/parity") { pages, _ in .json(try await pages.parity.overview()) },
    ConsoleRoute(.page, .get, "api/parity/days") {
      .json(await $0.parity.kept.overview(event: $1.query["event"]))
    },
    ConsoleRoute(.page, .post, "api/parity/promote") { .json(try await $0.parity.promote($1)) },

    ConsoleRoute(.page, .get, "api/coverage") { pages, _ in .json(try await pages.table.coverage()) },
    ConsoleRoute(.page, .post, "api/table/try") { .json(try await $0.table.attempt($1)) },
  ]
}
