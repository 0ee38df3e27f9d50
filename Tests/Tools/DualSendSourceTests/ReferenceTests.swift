import DualSendSource
import Testing

/// Whoever gets a function that logs may call it with anything: the place that hands it on says so.
@Suite("Functions that are named without being called", .timeLimit(.minutes(5)))
struct ReferenceTests {
  private static let wrappers = """
    func report(_ name: String) { logger.logEvents(name: name, parameters: [["x": 1]]) }
    class Analytics {
      static let shared = Analytics()
      static func trace(_ name: String) { logger.logEvents(name: name, parameters: [["x": 1]]) }
      func track(_ name: String) { logger.logEvents(name: name, parameters: [["x": 1]]) }
      func work() { track("own") }
    }
    struct Song { let track: String; var report = 1 }
    let logger: any EventLogger = make()
    func once() { report("once"); Analytics.trace("once"); Analytics.shared.track("once") }
    """

  /// The places in a file of its own that something is handed on, with the reason.
  private func handedOn(_ text: String) -> [String] {
    Sources(("A.swift", Self.wrappers), ("B.swift", text)).calls.filter {
      $0.file == "B.swift" && $0.certainty == .dynamic
    }
    .map { "\($0.line):\($0.column) " + $0.open.joined(separator: "; ") }
  }

  @Test(
    "are dynamic, with the place and the reason",
    arguments: [
      ("let f = report", 9, "report"),
      ("func g() { items.forEach(report) }", 26, "report"),
      ("func g() -> (String) -> Void { return report }", 39, "report"),
      ("func g() { handler = flag ? report : other }", 29, "report"),
      ("func g() { let all = [report, other] }", 23, "report"),
      ("func g() { let f = given ?? report }", 29, "report"),
      ("let f = report(_:)", 9, "report"),
      ("func g() { run { [f = report] in f(\"a\") } }", 23, "report"),
      ("func g() { let f = report as (String) -> Void }", 20, "report"),
      ("extension Analytics { func g() { let f = track } }", 42, "track"),
      ("extension Analytics { func g() { run(self.track) } }", 43, "track"),
      ("extension Analytics { func g() { run(type(of: self).trace) } }", 53, "trace"),
      ("extension Analytics { func g() { run(Self.trace) } }", 43, "trace"),
      ("extension Analytics { func g() { run(#selector(track)) } }", 48, "track"),
      ("extension Analytics { func g() { run(#selector(Analytics.track(_:))) } }", 58, "track"),
      ("func g() { run(Analytics.trace) }", 26, "trace"),
      ("func g() { run(Analytics.track) }", 26, "track"),
      ("func g(a: Analytics?) { run(a?.track) }", 32, "track"),
      ("func g(a: Analytics) { run(a.track(_:)) }", 30, "track"),
      ("func g() { run(Analytics.shared.track) }", 33, "track"),
      ("class Sub: Analytics { func g() { run(track); run(track) } }", 39, "track"),
      ("let f: (String) -> Void = { $0 }; func g() { let a = Analytics(); run(a.track) }", 73, "track"),
    ])
  func handsOn(text: String, column: Int, name: String) {
    let found = handedOn(text)
    #expect(found.first == "1:\(column) `\(name)` is handed on as a value, and called elsewhere", "\(found)")
  }

  @Test(
    "are said to be possible where it is not known what they belong to",
    arguments: [
      ("func g() { run(unknown().track) }", "track"),
      ("extension Analytics { func g() { run(super.track) } }", "track"),
      ("func g() { run(.trace) }", "trace"), ("func g() { run(logger.logEvents) }", "logEvents"),
      ("func g() { run(logger.logEvents(name:parameters:)) }", "logEvents"),
    ])
  func mayHandOn(text: String, name: String) {
    let found = handedOn(text)
    #expect(found.count == 1 && found[0].contains("`\(name)` may be a function that is handed on"), "\(found)")
  }

  @Test(
    "are told from values of the same name, and from calls",
    arguments: [
      "func g(song: Song) { run(song.track) }", "func g(track: String) { run(track) }",
      "func g() { let track = 1; run(track) }", "func g() { for track in tracks { run(track) } }",
      "func g() { run(tracks.map { track in track }) }", "func g() { run { (report: Int) in use(report) } }",
      "func g() { if let track = find() { run(track) } }", "extension Song { func g() { run(report, track) } }",
      "func g() { run(unknown().track.title, \"\\(unknown().track)\", unknown().track == 1, !unknown().track) }",
      "func g() { report = 2 }", "func g() { run(\\Song.track, \\.track) }", "func g(a: String) { run(a.track) }",
      "func g() { report(\"a\"); Analytics.trace(\"a\"); Analytics.shared.track(\"a\") }",
      "struct Report { let report: String; init(report: String) { self.report = report } }",
      "func g() { func track() {}; run(track) }", "func g() { run(report: 1) }",
      "func g() { Vendor.track(\"a\", parameters: nil); Vendor.track(\"a\"); Vendor.trace(named: 1) }",
    ])
  func tellsApart(text: String) {
    #expect(handedOn(text) == [])
  }

  @Test("stand for the call inside of the function, and leave its other callers exact")
  func counted() {
    let calls = Sources(
      """
      func track(_ name: String, _ logger: any EventLogger) { logger.logEvents(name: name, parameters: [[:]]) }
      func work(_ logger: any EventLogger) { run(track); track("a", logger) }
      """
    ).calls
    #expect(calls.map(\.summary) == ["dynamic", "exact a()"])
    #expect(calls.map(\.line) == [2, 2])
  }

  @Test(
    "of a described function that is no wrapper are places, whether its type is described or not",
    arguments: [true, false])
  func described(hasType: Bool) throws {
    let track = LoggingFunction(
      "track(_:)", of: hasType ? "Analytics" : nil, content: .parts(name: .position(0), parameters: nil))
    let texts = SourceTexts([
      (
        path: "A.swift",
        text: """
        final class Analytics { func track(_ name: String) { SDK.instance().logEvent(name) } }
        final class Other { let track: (String) -> Void = { _ in } }
        func f(_ analytics: Analytics, _ other: Other) {
          analytics.track("a")
          ["b", "c"].forEach(analytics.track)
          Button("x", action: analytics.track)
          ["d"].forEach(other.track)
        }
        """
      )
    ])
    let found = SourceInventory(texts, functions: [track].compactMap { $0 }).inventory.callSites
    #expect(found.map(\.line) == [4, 5, 6])
    #expect(found.map(\.certainty) == [.exact, .dynamic, .dynamic])
    #expect(found.last?.open == ["`track` is handed on as a value, and called elsewhere"])
  }

  @Test("keep a wrapper that only hands on what it is given open, through another wrapper too")
  func throughWrappers() {
    let calls = Sources(
      """
      func track(_ name: String, _ logger: any EventLogger) { logger.logEvents(name: name, parameters: [[:]]) }
      func screen(_ name: String, _ logger: any EventLogger) { track("screen." + name, logger) }
      let handlers = [screen]
      """
    ).calls
    #expect(calls.map(\.summary) == ["dynamic"])
    #expect(calls.map(\.open) == [["`screen` is handed on as a value, and called elsewhere"]])
  }
}
