import Testing

/// Events that know their names and parameters, written out where they are sent.
@Suite("dualsend rewrite finish: typed events")
struct TypedEventTests {
  private static let app = """
    enum Event {
      case shown(id: Int, at: Int)
      case tapped(count: Int, isLiked: Bool)
      case swapped(first: Int, second: Int)
      case ratio(Double)
      case small(Float)
      case maybe(Int?)
      case filled(count: Int = 3)
      case calculated(Int)
      case nothing

      var name: String {
        switch self {
        case .shown, .swapped, .ratio, .small, .maybe, .filled, .calculated: "shown"
        case .tapped: "tapped"
        case .nothing: "other"
        }
      }

      var parameters: [String: Any] {
        switch self {
        case .shown(let id, let place): ["id": id, "pos": String(place)]
        case .tapped(let count, isLiked: let flag): ["n": count, "liked": flag ? "1" : "0"]
        case .swapped(let first, let second): ["n": second, "title": first]
        case .ratio(let share): ["n": share]
        case .small(let share): ["n": share]
        case let .maybe(number): ["n": number as Any]
        case .filled(let count): ["n": count]
        case .calculated(let count): ["n": helper(count)]
        case .nothing: [:]
        }
      }
    }
    protocol Typed {
      var name: String { get }
      var parameters: [String: Any] { get }
    }
    struct Opened: Typed {
      let id: Int
      let name = "shown"
      var parameters: [String: Any] { ["id": id] }
    }
    struct Counted: Typed {
      let count: Int
      let name = "shown"
      init(_ count: Int) { self.count = count + 1 }
      var parameters: [String: Any] { ["n": count] }
    }
    func helper(_ n: Int) -> Int { n }
    func bump() -> Int { 1 }
    protocol Logger { func logEvents(name: String, parameters: [[String: Any]]) }
    extension Logger {
      func send(_ event: Event) { logEvents(name: event.name, parameters: [event.parameters]) }
      func post(_ event: some Typed) { logEvents(name: event.name, parameters: [event.parameters]) }
    }

    """

  private static let function = "func work(l: any Logger, x: Int, flag: Bool, f: Float, maybe: (any Logger)?) {"

  private func rewriting(_ body: String) throws -> Rewriting {
    try Rewriting(Self.app + Self.function + "\n  \(body)\n}\n")
  }

  @Test(
    "writes an event out, its arguments in place of what the case calls them",
    arguments: [
      (
        "l.send(.shown(id: x, at: 3))",
        #"t.sendLog(name: "home.shown", payload: ["item": ["id": x] as [String: any Sendable], "position": 3])"#
      ),
      (
        "l.send(Event.tapped(count: x, isLiked: flag))",
        #"t.sendLog(name: "home.tapped", payload: ["count": x, "is_liked": flag ? true : false, "schema": 2])"#
      ),
      ("l.send(.nothing)", #"t.sendLog(name: "other", payload: [:])"#),
      ("l.send(.ratio(1))", #"t.sendLog(name: "home.shown", payload: ["count": 1.0])"#),
      ("l.send(.small(f))", #"t.sendLog(name: "home.shown", payload: ["count": f])"#),
      (
        "l.send(.swapped(first: 1, second: bump()))",
        #"t.sendLog(name: "home.shown", payload: ["count": bump(), "headline": 1])"#
      ),
      (
        "l.post(Opened(id: x))",
        #"t.sendLog(name: "home.shown", payload: ["item": ["id": x] as [String: any Sendable]])"#
      ),
      (
        "let event = Event.ratio(2.5)\n  l.send(event)",
        #"t.sendLog(name: "home.shown", payload: ["count": 2.5])"#
      ),
    ])
  func writtenOut(body: String, expected: String) throws {
    let rewriting = try rewriting(body)
    #expect(rewriting.left == [])
    #expect(rewriting.text.hasSuffix("(any Logger)?) {\n  \(expected)\n}\n"), "\(rewriting.text.suffix(200))")
  }

  @Test(
    "leaves an event that it is not sure of, and says why",
    arguments: [
      ("l.send(.swapped(first: bump(), second: bump()))", "another moment"),
      ("l.send(.swapped(first: x, second: bump()))", "another moment"),
      ("l.send(.small(0.1))", "gets its type from where it is declared"),
      ("l.send(.filled())", "the event is made elsewhere"),
      ("l.send(.maybe(nil))", "is worked out elsewhere"),
      ("l.send(.calculated(x))", "`helper(count)` is worked out elsewhere"),
      ("l.send(flag ? .nothing : .ratio(1))", "which of the 2 names"),
      ("l.send(flag ? .ratio(2) : .ratio(1))", "the event is made elsewhere"),
      ("l.post(Counted(x))", "the event is made elsewhere"),
      ("l.send(.shown(id: x /* why */, at: 3))", "comments"),
      ("let event = Event.ratio(2.5)\n  _ = event\n  l.send(event)", "the event is made elsewhere"),
      ("let event = Event.ratio(2.5)\n  l.send(event)\n  _ = event", "the event is made elsewhere"),
      ("let event = Event.ratio(2.5) // why\n  l.send(event)", "the event is made elsewhere"),
      ("var event = Event.ratio(2.5)\n  event = .nothing\n  l.send(event)", "the event is made elsewhere"),
      ("Optional(l)?.send(.nothing)", "what `send` is called on"),
      ("maybe?.send(.nothing)", "only if"),
    ])
  func left(body: String, reason: String) throws {
    let rewriting = try rewriting(body)
    #expect(rewriting.count == 0, "\(rewriting.text.suffix(200))")
    #expect(rewriting.left.count == 1)
    #expect(rewriting.left.first?.contains(reason) == true, "\(rewriting.left)")
  }

  @Test(
    "leaves a call of the protocol that call sites know after the migration too",
    arguments: [#"e.log(Opened(id: x))"#, #"e.log("shown", ["id": x])"#])
  func protocolCalls(body: String) throws {
    let front = """
      protocol EventLogging {}
      extension EventLogging {
        func log(_ event: some Typed) {}
        func log(_ name: String, _ parameters: [String: any Sendable]) {}
      }
      func work(e: any EventLogging, x: Int) {

      """
    let rewriting = try Rewriting(Self.app + front + "  \(body)\n}\n")
    #expect(rewriting.count == 0, "\(rewriting.text.suffix(200))")
    #expect(rewriting.left.count == 1)
    #expect(rewriting.left.first?.contains("it stays as it is") == true, "\(rewriting.left)")
  }
}
