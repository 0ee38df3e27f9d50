import DualSendCommandLine
import DualSendCore
import DualSendRemapping
import Testing

@testable import DualSendParity

@Suite("Parity reports", .timeLimit(.minutes(5)))
struct ParityReportTests {
  private func report() throws -> ParityReport {
    try compare(
      old: [old("a", "tap", #"{"id":1}"#), old("b", "tap", #"{"id":2}"#), old("c", "<view>|x", "{}"), "{"],
      new: [
        new("a", "tapped", #"{"item":1}"#), new("b", "tapped", #"{"item":"2","n":{"d":1}}"#), new("c", "<view>|x"),
        new("d", "tapped"),
      ],
      table: #"{"tap":{"name":"tapped","parameters":{"id":"item"}}}"#)
  }

  @Test("the text form shows every event, the worst fields and the totals")
  func text() throws {
    #expect(
      try report().text() == """
        event         pairs  differ      rate  lost  unexpected  old only  new only  median delay  99.9 % delay  worst field
        tap → tapped      2       1  50.0000%     1           0         0         1             –             –  item: 1 type changed
        <view>|x          1       0   0.0000%     0           0         0         0             –             –
        total             3       1  33.3333%     1           0         0         1             –             –

        worst fields
          tap  item: 1 type changed
            for example b
          tap  n: 1 extra
            for example b

        lost or unexpected
          tap  1 lost from the old stream
            for example d

        joined by event id
        events without a decision belong in both streams
        old: 4 lines, 1 malformed (line 4)
        new: 4 lines
        judged by the decision they carry: 0, by a rollout document: 0, by neither: 4
        1 lost from the old stream
        compared by dualsend \(ToolVersion.text)

        """)
  }

  @Test("the Markdown form escapes names")
  func markdown() throws {
    let markdown = try report().markdown(ParityGate().judgement(on: report()))
    #expect(markdown.contains(#"| \<view\>\|x | 1 | 0 |"#))
    #expect(markdown.contains("- item: 1 type changed; for example `b`"))
    #expect(markdown.contains("- 1 lost from the old stream; for example `d`"))
    #expect(markdown.contains("- tap: 2 of 3 events differ or are lost (66.6667%)"))
  }

  @Test("the HTML form is one page that loads nothing and escapes names")
  func html() throws {
    let html = try report().html(ParityGate().judgement(on: report()))
    #expect(html.hasPrefix("<!DOCTYPE html>") && html.contains("</html>"))
    #expect(html.contains("&lt;view&gt;|x") && !html.contains("<view>"))
    #expect(!html.contains("http") && !html.contains("src=") && !html.contains("<script"))
    #expect(html.ranges(of: "<details>").count == 2)
    #expect(
      html.contains("; 1 lost, 0 unexpected; 0 only old, 1 only new; median delay –; 99.9 % delay –; does not pass</p>")
    )
    #expect(html.contains("<p>lost: <code>d</code></p>"))
  }

  @Test(
    "the JSON form is read back as the same report",
    arguments: [
      JoinRule.eventID(parameter: nil), .eventID(parameter: "id"), .order(unit: nil, window: nil),
      .order(unit: try KeyPathPattern("user.id"), window: 50),
    ])
  func roundTrip(join: JoinRule) throws {
    var report = ParityReport(join: join)
    #expect(try ParityReport(report.json().canonicalJSON) == report)
    report = try self.report().calibrated(by: self.report())
    #expect(try ParityReport(report.json(ParityGate().judgement(on: report)).canonicalJSON) == report)
  }

  @Test(
    "by what lone events were judged is read back",
    arguments: [.everywhere, .oneSidedAllowed(in: [.new]), .rollout(revisions: [12, 13], late: 5)]
      as [StreamMembership.Summary])
  func membership(summary: StreamMembership.Summary) throws {
    let report = ParityReport(join: .eventID(parameter: nil), membership: summary)
    #expect(try ParityReport(report.json().canonicalJSON) == report)
  }

  @Test(
    "a report that was tampered with is refused",
    arguments: [
      (#""pairs":1"#, #""pairs":-1"#), (#""pairs":1,"#, ""), (#""formatVersion":1"#, #""formatVersion":2"#),
      (#""lines":4"#, #""lines":"4""#), (#""calibrated":false"#, #""calibrated":false,"x":1"#),
      (#""by":"everywhere""#, #""by":"nowhere""#), (#""judged":1,"#, ""),
    ])
  func refused(part: String, replacement: String) throws {
    let text = try report().json().canonicalText
    #expect(text.contains(part))
    let changed = text.split(separator: part, maxSplits: 1, omittingEmptySubsequences: false)
      .joined(separator: replacement)
    #expect(throws: DocumentError.self) { try ParityReport(changed.utf8) }
  }

  @Test(
    "a limit is read exactly",
    arguments: [
      ("0.1%", 1000), ("0%", 0), ("100%", 1_000_000), ("0.0001%", 1), ("0.001", 1000), ("1", 1_000_000),
    ])
  func limit(text: String, partsPerMillion: Int) {
    #expect(FailingLimit(text)?.partsPerMillion == partsPerMillion)
  }

  @Test("a text that is no limit is refused", arguments: ["", "%", "101%", "-1%", "0.00001%", "1.", ".5", "1,5%", "2"])
  func noLimit(text: String) {
    #expect(FailingLimit(text) == nil)
  }

  @Test("a limit is passed by one more than it allows, whatever the size")
  func exceeded() throws {
    let limit = try #require(FailingLimit("0.1%"))
    #expect(!limit.isExceeded(by: 1, of: 1000))
    #expect(limit.isExceeded(by: 2, of: 1000))
    #expect(limit.isExceeded(by: Int.max / 2, of: Int.max))
    #expect(limit.description == "0.1 %")
  }
}
