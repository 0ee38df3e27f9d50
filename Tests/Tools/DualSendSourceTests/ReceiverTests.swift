import DualSendSource
import Testing

@Suite("What depends on the type that is called", .timeLimit(.minutes(5)))
struct ReceiverTests {
  private static let log = """
    let logger: any OldLogger = make()
    func log(_ name: String, _ keys: [String: Any] = [:]) { logger.logEvents(name: name, parameters: [keys]) }

    """

  @Test(
    "is open where a subclass or a conforming type has its own",
    arguments: [
      "extension P { static func send() { log(name) } }; func f() { A.send() }",
      "extension P { static func send() { log(self.name) } }; func f() { A.send() }",
      "extension P { func send() { log(Self.name) } }; func f() { A().send() }",
      "extension P { static func send(_ name: String = Self.name) { log(name) } }; func f() { A.send() }",
      "class C { class var own: String { \"c\" }; class func send() { log(own) } }\n"
        + "class D: C { override class var own: String { \"d\" } }; func f() { D.send() }",
      "class C { class func own() -> String { \"c\" }; class func send() { log(own()) } }\n"
        + "class D: C { override class func own() -> String { \"d\" } }; func f() { D.send() }",
    ])
  func replaced(program: String) {
    let calls = Sources(
      Self.log + """
        protocol P { static var name: String { get } }
        extension P { static var name: String { "p" } }
        struct A: P { static var name: String { "a" } }

        """ + program
    ).calls
    #expect(!calls.isEmpty)
    for call in calls where call.certainty == .exact { #expect(["exact a()", "exact d()"].contains(call.summary)) }
  }

  @Test("is what the receiver says, where that is known")
  func known() {
    let calls = Sources(
      """
      protocol Sender { static var prefix: String { get } }
      extension Sender {
        static var prefix: String { "plain_" }
        func send(_ name: String) { logger.logEvents(name: Self.prefix + name, parameters: [[:]]) }
      }
      struct Feedback: Sender {
        static var prefix: String { "fb_" }
        func report() { send("report") }
      }
      struct Other: Sender {}
      func f() { Feedback().send("direct"); Other().send("other") }
      """
    ).calls
    #expect(calls.map(\.summary) == ["exact fb_report()", "exact fb_direct()", "exact plain_other()"])
  }

  @Test("is the description whose labels are the call's, in whatever order they stand", arguments: [false, true])
  func order(isReversed: Bool) throws {
    let parts = try #require(
      LoggingFunction("log(event:data:)", content: .parts(name: .label("event"), parameters: .label("data"))))
    let event = try #require(
      LoggingFunction(
        "log(event:)", content: .event(.label("event"), nameProperty: "name", parametersProperty: "data")))
    let source = """
      struct Opened { let name = "opened"; let data: [String: Any] = ["id": 1] }
      func f(_ tracker: any Tracker) { tracker.log(event: Opened()); tracker.log(event: "b", data: [:]) }
      """
    let found = Sources(source).inventory(functions: isReversed ? [event, parts] : [parts, event])
    #expect(found.inventory.callSites.map(\.summary) == ["exact opened(id)", "exact b()"])
  }

  @Test("is no operator of other types, and a type behind an alias that is extended")
  func names() {
    let calls = Sources(
      Self.log + """
        func + (left: String, right: NSAttributedString) -> String { left }
        struct Event { let name: String }
        typealias Alias = Event
        extension Alias { static let made = Event(name: "made") }
        func send(_ event: Event) { log(event.name) }
        func f() { log("a" + "b"); send(.made) }
        """
    ).calls
    #expect(calls.map(\.summary) == ["exact ab()", "exact made()"])
  }

  @Test("is not the type of a number, where an alias or a library declares it", arguments: ["Money", "Library.Number"])
  func numbers(type: String) {
    let calls = Sources(
      """
      typealias Money = Double
      struct Event { let price: \(type) }
      func f() { logger.logEvents(name: "a", parameters: [["price": Event(price: 1).price]]) }
      """
    ).calls
    #expect(calls.flatMap(\.events).flatMap(\.parameters).allSatisfy { !$0.types.contains(.int) && $0.values == nil })
  }
}
