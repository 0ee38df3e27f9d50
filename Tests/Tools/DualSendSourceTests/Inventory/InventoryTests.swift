import DualSendCore
import DualSendSource
import Testing

@Suite("An inventory", .timeLimit(.minutes(5)))
struct InventoryTests {
  private static let line =
    #"{"certainty":"exact","column":5,"events":[{"name":"home.like","open":false,"parameters":["#
    + #"{"key":"item_id","optional":false,"types":["int"]},"#
    + #"{"key":"liked","optional":true,"types":["string"],"values":["0","1"]}]}],"#
    + #""file":"Sources/App/Feed.swift","function":"didTapLike(_:)","line":12,"open":[],"#
    + #""type":"FeedViewController","via":["track(_:_:)"]}"#

  /// The first finding of a text that is refused.
  private func finding(_ text: String) -> DocumentDiagnostic? {
    do throws(DocumentError) {
      _ = try Inventory(text.utf8, name: "calls.jsonl")
      return nil
    } catch {
      return error.diagnostics.first
    }
  }

  @Test("writes a line as it was read, byte for byte")
  func roundTrip() throws {
    let inventory = try Inventory(Self.line.utf8)
    #expect(inventory.jsonLines == Self.line + "\n")
    let site = try #require(inventory.callSites.first)
    #expect(site.certainty == .exact && site.line == 12 && site.via == ["track(_:_:)"])
    #expect(site.events.first?.parameters.last?.values == ["0", "1"])
  }

  @Test("passes over empty lines, a byte order mark and carriage returns, and sorts by file, line and column")
  func order() throws {
    let later = Self.line.replacing(#""line":12"#, with: #""line":120"#)
    let other = Self.line.replacing("App/Feed", with: "App/Article")
    let text = "\u{FEFF}" + [later, "", Self.line, "  ", other].joined(separator: "\r\n")
    let inventory = try Inventory(text.utf8)
    #expect(inventory.jsonLines == [other, Self.line, later].map { $0 + "\n" }.joined())
  }

  @Test("is the same bytes in whatever order it is made, for random call sites")
  func canonical() throws {
    var random = SplitMix64(seed: 14)
    for _ in 0..<200 {
      let sites = (0..<Int.random(in: 0...6, using: &random)).map { _ in CallSite.random(&random) }
      let inventory = Inventory(sites)
      #expect(Inventory(sites.shuffled(using: &random)).jsonLines == inventory.jsonLines)
      #expect(try Inventory(inventory.jsonLines.utf8) == inventory)
    }
  }

  @Test("names the line and the column of what is wrong")
  func place() throws {
    let broken = Self.line.replacing(#""line":12"#, with: #""line":"12""#)
    let found = try #require(finding(Self.line + "\n\n" + broken))
    #expect(found.code == .init(rawValue: "DS1001"))
    #expect(found.position?.line == 3)
    #expect(found.position?.column == broken.distance(of: #""12""#))
    #expect(found.file == "calls.jsonl")
  }

  @Test(
    "refuses a line that it would not write so, and names the key",
    arguments: [
      (#""line":12"#, #""line":0"#, "line"),
      (#""certainty":"exact""#, #""certainty":"exakt""#, "certainty"),
      (#""open":[]"#, #""open":["a name"]"#, "certainty"),
      (#""certainty":"exact""#, #""certainty":"dynamic""#, "certainty"),
      (#""name":"home.like""#, #""isPattern":true,"name":"home.*""#, "certainty"),
      (#""types":["int"]"#, #""types":["integer"]"#, "events"),
      (#""key":"liked""#, #""key":"item_id""#, "events"),
      (#""via":["track(_:_:)"]"#, #""via":"track""#, "via"),
      (#""type":"FeedViewController","#, "", "type"),
      (#""type":"FeedViewController","#, #""type":"","kind":null,"#, "kind"),
    ])
  func refusals(part: String, replacement: String, key: String) throws {
    let found = try #require(finding(Self.line.replacing(part, with: replacement)))
    #expect(found.message == "`\(key)` is missing, or not what an inventory writes")
    #expect(found.position?.line == 1)
  }

  @Test("keeps a hundred findings of a file that is something else, and counts the others")
  func bounded() throws {
    let text = String(repeating: "hello\n", count: 5000)
    do throws(DocumentError) {
      _ = try Inventory(text.utf8)
      Issue.record("such a file is no inventory")
    } catch {
      #expect(error.diagnostics.count == 101)
      #expect(error.diagnostics.last?.message == "and 4900 more, from here on")
      #expect(error.diagnostics.last?.position?.line == 101)
    }
  }

  @Test("of nothing is empty")
  func empty() throws {
    #expect(try Inventory([UInt8]()).jsonLines.isEmpty)
  }
}

extension String {
  /// The column at which a part stands, counted from 1.
  fileprivate func distance(of part: String) -> Int? {
    firstRange(of: part).map { self.distance(from: startIndex, to: $0.lowerBound) + 1 }
  }
}

extension CallSite {
  fileprivate static func random(_ random: inout SplitMix64) -> CallSite {
    let texts = ["", "a", "é", "e\u{301}", "a.b", "\n", "\"", "item_id", "*", "\\*"]
    func text() -> String { texts.randomElement(using: &random) ?? "" }
    let events = (0..<Int.random(in: 1...3, using: &random)).map { _ in
      SentEvent(
        name: text(), isOpen: Bool.random(using: &random),
        parameters: (0..<Int.random(in: 0...4, using: &random)).map { _ in
          SentParameter(
            key: text(), isOptional: Bool.random(using: &random),
            types: [.int, .string, .unknown].shuffled(using: &random),
            values: Bool.random(using: &random) ? [1, "b", .string(text()), nil] : nil)
        })
    }
    return CallSite(
      file: text(), line: Int.random(in: 1...3, using: &random), column: 1, type: text(),
      function: text(), via: [text(), text()], open: [text()], events: events)
  }
}
