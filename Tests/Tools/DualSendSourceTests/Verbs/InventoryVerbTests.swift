import DualSendCommandLine
import DualSendCore
import DualSendSource
import Foundation
import Testing

@Suite("dualsend inventory", .timeLimit(.minutes(5)))
struct InventoryVerbTests {
  private let app: TemporaryApp

  init() throws {
    app = try TemporaryApp()
    try app.write(
      "Home/Home.swift",
      """
      func open(logger: any EventLogger, tab: Int) {
        logger.logEvents(name: "home.view", parameters: [["tab": tab]])
        logger.logEvents(name: "tab_\\(tab)", parameters: [[:]])
      }
      """)
  }

  @Test("lists what is not exact, the events and the totals, for a person")
  func text() async {
    let run = await VerbRun.of(["inventory", app.path])
    #expect(run.status == .clean)
    #expect(run.diagnostics == "")
    let lines = run.results.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    #expect(lines[2] == app.path("Home/Home.swift:3") + "  partial    tab_*  a part of the name: any value of `tab`")
    #expect(
      Array(lines[4...7]) == [
        "event      places  keys", "─────────  ──────  ────", "home.view       1  tab", "tab_*           1",
      ])
    #expect(run.results.contains("2 places that log in 1 file of 3 lines: 1 exact (50 %), 1 partial (50 %), 0 dynamic"))
  }

  @Test("writes one line a place for programs, which reads back as it was")
  func json() async throws {
    let run = await VerbRun.of(["inventory", app.path, "--format", "json"])
    #expect(run.status == .clean)
    let read = try Inventory(run.results.utf8)
    #expect(read.callSites.map(\.line) == [2, 3])
    #expect(read.callSites.map(\.certainty) == [.exact, .partial])
    #expect(read.jsonLines == run.results)
  }

  @Test("finds calls in Objective-C by their text, and nothing that is none")
  func objectiveC() async throws {
    try app.write(
      "Home/Old.m",
      """
      // [log logEvents:@"comment"];
      - (void)logEvents:(NSString *)name { /* [log logEvents:@"a"
        ]; */ }
      - (void)open {
        NSString *text = @"[log logEvents:\\\"b\\\"]"; [text logEventsLater:1];
        [self.log logEventsWithName:@"open"
                         parameters:@[@{}]];
        if (text) [[Log shared] logEvents : text];
      }
      """)
    let run = await VerbRun.of(["inventory", app.path, "--format", "json"])
    let sites = try Inventory(run.results.utf8).callSites.filter { $0.file.hasSuffix(".m") }
    #expect(sites.map(\.line) == [6, 8])
    #expect(sites.map(\.column) == [13, 27])
    #expect(sites.map(\.certainty) == [.partial, .dynamic])
    #expect(sites.first?.events.map(\.name) == ["open"])
    #expect(await VerbRun.of(["inventory", app.path]).status == .clean)
  }

  @Test("leaves out folders of tests and what --exclude names, unless they are named themselves")
  func excluded() async throws {
    for folder in ["AppTests", "Tests/Unit", "Doubles", "Latests", "App/Vendor/Kit"] {
      let text = #"func f(l: any EventLogger) { l.logEvents(name: "x", parameters: [[:]]) }"#
      try app.write(folder + "/Some.swift", text)
    }
    func files(_ arguments: String...) async throws -> [String] {
      let run = await VerbRun.of(["inventory", "--format", "json"] + arguments)
      return try Inventory(run.results.utf8).callSites.map { String($0.file.dropFirst(app.path.count + 1)) }
    }
    let home = ["Home/Home.swift", "Home/Home.swift"]
    #expect(try await files(app.path) == ["Doubles/Some.swift"] + home + ["Latests/Some.swift"])
    #expect(try await files(app.path, "--exclude", app.path("Doubles")) == home + ["Latests/Some.swift"])
    #expect(try await files(app.path("Tests")) == ["Tests/Unit/Some.swift"])
    let folders = ["App/Vendor", "AppTests", "Tests"].map { app.path($0) }.joined(separator: ", ")
    let note = "note: left out 3 folders of tests or others' code; name one to read it: \(folders)\n"
    #expect(await VerbRun.of(["inventory", app.path]).diagnostics.contains(note))
    for number in 1...6 { try app.write("More\(number)Tests/Some.swift", "") }
    let suggested = await VerbRun.of(["inventory", app.path, "--suggest"])
    #expect(suggested.diagnostics.contains("left out 9 folders") && suggested.diagnostics.contains(" and 1 more\n"))
  }

  @Test("lists the functions that may log, most calls first, with the descriptions by which the places are then found")
  func suggestions() async throws {
    let own = try TemporaryApp()
    try own.write(
      "App.swift",
      """
      struct Event { let label: String; let values: [String: Any] }
      final class Analytics {
        func track(_ name: String, properties: [String: Any] = [:]) {}
        func send(_ event: Event) { Amplitude.instance().logEvent(event.label, withEventProperties: event.values) }
        func log(_ message: String) { print(message) }
      }
      func open(_ analytics: Analytics, _ id: Int) {
        analytics.track("home.view", properties: ["id": id]); analytics.track("home.tap"); analytics.log("x")
        analytics.send(Event(label: "a", values: [:]))
      }
      """)
    #expect(await VerbRun.of(["inventory", own.path]).diagnostics.contains("`--suggest` lists the app's own"))
    let text = await VerbRun.of(["inventory", own.path, "--suggest"])
    #expect(text.status == .clean)
    let counts = text.results.split(separator: "\n").dropFirst(2).map { $0.split(separator: " ").first }
    #expect(counts == ["2", "1", "1"])
    #expect(text.results.contains("App.swift:8  analytics.track(\"home.view\", properties: [\"id\": id])"))
    let json = await VerbRun.of(["inventory", own.path, "--suggest", "--format", "json"])
    let lines = json.results.split(separator: "\n").map { $0.drop { $0 != "{" } }
    #expect(lines.count == 3)
    #expect(json.results.contains(#""function":"logEvent(_:withEventProperties:)","name":0,"parameters":1"#))
    let described = [
      #"{"function":"track(_:properties:)","name":0,"parameters":1,"type":"Analytics"}"#,
      #"{"event":0,"function":"send(_:)","nameProperty":"label","parametersProperty":"values","type":"Analytics"}"#,
    ]
    for one in described { #expect(json.results.contains(one), "\(json.results)") }
    let calls = try own.write("calls.json", #"{"formatVersion": 1, "calls": [\#(described.joined(separator: ","))]}"#)
    let found = await VerbRun.of(["inventory", own.path, "--calls", calls, "--format", "json"])
    let sites = try Inventory(found.results.utf8).callSites
    #expect(sites.flatMap(\.events).map(\.name) == ["home.view", "home.tap", "a"])
  }

  @Test("lists nothing where no function may log")
  func noSuggestions() async throws {
    let own = try TemporaryApp()
    try own.write("App.swift", "func add(_ n: Int) {}; func f() { add(1) }")
    let run = await VerbRun.of(["inventory", own.path, "--suggest"])
    #expect(run.status == .findings)
    #expect(run.diagnostics.contains("no function of these sources looks as if it logs"))
  }

  @Test("writes SARIF whose places and kinds are those of the inventory")
  func sarif() async throws {
    let run = await VerbRun.of(["inventory", app.path, "--format", "sarif"])
    #expect(run.status == .clean)
    let log = try #require(try JSONSerialization.jsonObject(with: Data(run.results.utf8)) as? [String: Any])
    #expect(log["version"] as? String == "2.1.0")
    let first = try #require((log["runs"] as? [[String: Any]])?.first)
    let results = try #require(first["results"] as? [[String: Any]])
    #expect(results.map { $0["ruleId"] as? String } == ["log-call-exact", "log-call-partial"])
    #expect(results.map { $0["level"] as? String } == ["none", "note"])
  }

  @Test("ends with 1 if a file was passed over, and names it in the form that was asked for")
  func passedOver() async throws {
    try app.write("Broken.swift", "func f( {\n")
    let text = await VerbRun.of(["inventory", app.path])
    #expect(text.status == .findings)
    #expect(text.diagnostics.contains("warning[DS1301]: it is not Swift; the file was passed over"))
    #expect(text.results.contains("in 1 file of 4 lines") && text.results.contains("; 1 file passed over"))
    let json = await VerbRun.of(["inventory", app.path, "--format", "json"])
    #expect(json.status == .findings)
    #expect(json.diagnostics.contains(#""code":"DS1301""#))
    #expect(try Inventory(json.results.utf8).callSites.count == 2)
  }

  @Test("lists no more than it is asked to, and says how many there are")
  func limit() async throws {
    let run = await VerbRun.of(["inventory", app.path, "--limit", "1"])
    #expect(run.results.contains("… and 1 more; see --limit"))
    #expect(await VerbRun.of(["inventory", app.path, "--limit", "0"]).results.contains("…") == false)
  }

  @Test(
    "refuses a wrong command line",
    arguments: [
      [], ["--format", "yaml"], ["--limit", "-1"], ["--threads", "0"], ["--threads", "65"], ["--nonsense"],
    ])
  func usage(arguments: [String]) async {
    let paths = arguments.isEmpty ? [] : [app.path]
    #expect(await VerbRun.of(["inventory"] + paths + arguments).status == .usage)
  }

  @Test("explains itself on request")
  func help() async {
    let run = await VerbRun.of(["inventory", "--help"])
    #expect(run.status == .clean)
    #expect(run.results.contains("Exit status 1 if a file is not Swift"))
  }

  @Test("follows a team's own functions, and what is wrapped around them several times")
  func teamsOwn() async throws {
    try app.write(
      "Tracking.swift",
      """
      final class Analytics {
        func track(_ name: String, properties: [String: Any]) {}
        func screen(_ name: String, _ more: [String: Any] = [:]) { track("screen." + name, properties: more) }
        func tab(_ name: String) { screen("tab." + name, ["tab": name]) }
      }
      func work(_ analytics: Analytics) {
        analytics.tab("home")
        analytics.screen("cart")
        analytics.track("tap", properties: ["x": 1])
      }
      """)
    let calls = try app.write(
      "calls.json",
      """
      {"formatVersion": 1, "calls": [
        {"function": "track(_:properties:)", "type": "Analytics", "name": 0, "parameters": "properties"}
      ]}
      """)
    let run = await VerbRun.of(["inventory", app.path("Tracking.swift"), "--calls", calls, "--format", "json"])
    let sites = try Inventory(run.results.utf8).callSites
    #expect(sites.map(\.line) == [7, 8, 9])
    #expect(sites.map(\.certainty) == [.exact, .exact, .exact])
    #expect(sites.flatMap(\.events).map(\.name) == ["screen.tab.home", "screen.cart", "tap"])
    #expect(sites.map(\.via) == [["tab(_:)", "screen(_:_:)"], ["screen(_:_:)"], []])
    #expect(await VerbRun.of(["inventory", app.path("Tracking.swift")]).results.contains("0 places that log"))
  }

  @Test(
    "refuses a description of functions that cannot be meant",
    arguments: [
      "{", #"{"formatVersion": 2, "calls": []}"#, #"{"formatVersion": 1}"#,
      #"{"formatVersion": 1, "calls": [{"function": "track", "name": 0}]}"#,
      #"{"formatVersion": 1, "calls": [{"function": "track(_:)", "name": 3}]}"#,
      #"{"formatVersion": 1, "calls": [{"function": "track(_:)", "name": 0, "event": 0}]}"#,
    ])
  func wrongDescription(text: String) async throws {
    let calls = try app.write("calls.json", text)
    let run = await VerbRun.of(["inventory", app.path, "--calls", calls])
    #expect(run.status == .couldNotRun)
    #expect(run.results == "")
    #expect(run.diagnostics.contains("error[DS"))
    #expect(await VerbRun.of(["inventory", app.path, "--calls", app.path("none.json")]).status == .couldNotRun)
  }
}
