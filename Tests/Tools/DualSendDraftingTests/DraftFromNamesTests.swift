import DualSend
import DualSendCore
import DualSendRemapping
import DualSendSource
import Testing

@testable import DualSendDrafting

@Suite("A draft from names", .timeLimit(.minutes(5)))
struct DraftFromNamesTests {
  private func draft(_ old: [(String, [SentParameter])], _ plan: String) throws -> TableDraft {
    let sites = old.map { name, parameters in
      CallSite(file: "a.swift", line: 1, column: 1, events: [SentEvent(name: name, parameters: parameters)])
    }
    return TableDraft(
      old: NamedEvents(Inventory(sites)), new: try NamedEvents(csv: Array(plan.utf8), name: "plan.csv"))
  }

  private func key(_ key: String, _ types: SentType...) -> SentParameter {
    SentParameter(key: key, isOptional: false, types: types)
  }

  @Test("takes names of the same words for the same, and converts where both sides know one type")
  func sameWords() throws {
    let draft = try draft(
      [("homeLikeBtnTap", [key("itemID", .string), key("pos", .int), key("ctx.screenName", .string), key("n", .int)])],
      "event,key,type\nhome.like_button.tap,item_id,string\nhome.like_button.tap,position,string\n"
        + "home.like_button.tap,ctx.screen_name,\nhome.like_button.tap,n,int\n")
    #expect(
      draft.json(commented: false) == [
        "formatVersion": 1,
        "events": [
          "homeLikeBtnTap": [
            "name": "home.like_button.tap",
            "parameters": [
              "itemID": "item_id", "pos": ["to": "position", "type": "string"], "ctx.screenName": "ctx.screen_name",
              "n": ["to": "n", "allow": ["DS0112"]],
            ],
          ]
        ],
      ])
  }

  @Test("has a row for a key that keeps its name, unless a row that changes something has a part of it")
  func staying() throws {
    let keys = [key("itemID", .string), key("box_size", .object), key("box_size.w", .int), key("price_tag", .object)]
    let plan = "event,key\nhome_tap,item_id\nhome_tap,box_size\nhome_tap,box_size.width\nhome_tap,price_tag\n"
    let words = try WordList(csv: Array("old,new\nw,width\n".utf8), name: "words.csv")
    let site = CallSite(
      file: "a.swift", line: 1, column: 1, events: [SentEvent(name: "home_tap", parameters: keys)])
    let draft = TableDraft(
      old: NamedEvents(Inventory([site])), new: try NamedEvents(csv: Array(plan.utf8), name: nil), words: words)
    let event = try #require(draft.events.first)
    #expect(
      event.rows.map(\.deed) == ["`box_size.w` to `box_size.width`", "`itemID` to `item_id`", "`price_tag` stays"])
    #expect(!event.notes.contains { $0.contains("stays") })
    #expect(try RemappingTable(reading: draft.json().canonicalJSON).warnings.isEmpty)
  }

  @Test("leaves open what several names could mean, with the candidates")
  func ambiguous() throws {
    let draft = try draft(
      [("tap", [key("user_name", .string), key("userName", .string), key("zzz", .int)])],
      "new event,new key\ntap,username\ntap,user.name\ntap,user-name\n")
    let event = try #require(draft.events.first)
    #expect(event.rows.isEmpty && event.newName == nil)
    let open = event.open.map(\.text)
    #expect(open.contains("`userName` may be `user-name` or `user.name` or `username`"))
    #expect(open.contains("`zzz` no new name is similar"))
  }

  @Test("guesses a key that has one word more, says so, and guesses none of two")
  func guesses() throws {
    let plan = "event,key\ntap,course_id\ntap,user_name\ntap,user_id\ntap,size\n"
    let event = try #require(
      try draft([("tap", [key("course", .string), key("user", .string), key("itemSize", .int)])], plan).events.first)
    #expect(event.rows.map(\.deed) == ["`course` to `course_id`", "`itemSize` to `size`"])
    #expect(event.notes.contains("`course` to `course_id`: similar words, check it"))
    #expect(event.open.map(\.text) == ["`user` may be `user_id` or `user_name`"])
  }

  @Test("names the events that no table can have an entry for, and leaves them out")
  func unnamable() {
    let draft = TableDraft(["//", "x*", "", "tap"].map { DraftedEvent(name: $0) })
    #expect(draft.unnamable == ["", "//", "x*"])
    #expect(draft.json() == ["formatVersion": 1, "events": ["tap": [:]]])
  }

  @Test("knows the keys of recorded payloads: leaves and empty containers, as JSON has them")
  func payloads() throws {
    var old = NamedEvents()
    old.add("tap", payload: ["a": ["b": 1.0], "list": [["c": "x"]], "no_ne": [], "//": 2])
    let plan = "event,key,type\ntap,A.B,string\ntap,list[].C,string\ntap,NO_NE,\n"
    let draft = TableDraft(old: old, new: try NamedEvents(csv: Array(plan.utf8), name: "plan.csv"))
    let event = try #require(draft.events.first)
    #expect(event.rows.map(\.deed) == ["`a.b` to `A.B`", "`list[].c` to `list[].C`", "`no_ne` to `NO_NE`"])
    #expect(event.rows.map(\.type) == [.string, nil, nil])
    #expect(event.open.isEmpty)
  }

  @Test("knows the words of a name however it is written")
  func words() {
    for text in ["userID", "user_id", "UserId", "user.id", "USER-ID"] {
      #expect(NameWords(text).words == ["user", "id"])
    }
    #expect(NameWords("usr id").withoutAbbreviations.words == ["user", "id"])
    #expect(NameWords("parseHTTPHeader2x").words == ["parse", "http", "header2x"])
    #expect(NameWords("…").words.isEmpty)
  }

  @Test("says where a plan is wrong")
  func brokenPlan() {
    let plan = "event,key,type\ntap,a.,\ntap,b,strnig\n"
    do throws(DocumentError) {
      _ = try NamedEvents(csv: Array(plan.utf8), name: "plan.csv")
      Issue.record("the plan is wrong")
    } catch {
      #expect(error.diagnostics.map { [$0.position?.line, $0.position?.column] } == [[2, 5], [3, 7]])
    }
  }

  private func sure(_ event: DraftedEvent) -> [String] { event.rows.filter(\.finding.isSure).map(\.deed) }

  @Test("is sure only of names that nothing else could mean, of known events and agreeing types")
  func sureness() throws {
    let keys = [key("itemID", .string), key("Value", .string), key("ageYears", .string), key("btn_name", .string)]
    let plan = "item_id,string\nhome_tap,value,string\nhome_tap,age_years,int\nhome_tap,button_name,string\n"
    let known = try #require(try draft([("homeTap", keys)], "event,key,type\nhome_tap,\(plan)").events.first)
    #expect(known.naming == DraftedEvent.Finding(way: .restyled, isSure: true))
    #expect(sure(known) == ["`itemID` to `item_id`"])
    #expect(known.rows.map(\.finding.way) == [.restyled, .restyled, .words, .restyled])
    // Of an event that is not sure, no key is.
    let similar = "event,key,type\n" + ("home_tap," + plan).replacing("home_tap", with: "home_tap_now")
    let other = try #require(try draft([("homeTap", keys)], similar).events.first)
    #expect(other.naming?.isSure == false && other.rows.count == 4 && sure(other).isEmpty)
    let nested = try #require(
      try draft([("homeTap", [key("page.url", .string)])], "event,key\nhome_tap,page_url\n").events.first)
    #expect(nested.rows.count == 1 && sure(nested).isEmpty)
  }

  @Test("makes one row of keys that forked, and is not sure of their order")
  func forks() throws {
    let keys = [key("site id", .string), key("siteId", .string), key("site_id", .string)]
    let draft = try draft([("home_tap", keys)], "event,key\nhome_tap,site_id\n")
    let row = try #require(draft.events.first?.rows.first)
    #expect(row.deed == "`site_id`, else `site id`, else `siteId` to `site_id`" && !row.finding.isSure)
    #expect(
      draft.json(commented: false) == [
        "formatVersion": 1,
        "events": ["home_tap": ["parameters": ["site_id": ["to": "site_id", "or": ["site id", "siteId"]]]]],
      ])
  }

  @Test("matches by the team's words, and by values of a closed list")
  func wordsAndValues() throws {
    var old = NamedEvents()
    for method in ["card", "cash", "card"] { old.add("pay_tap", payload: ["how": .string(method), "thing_name": "x"]) }
    var new = NamedEvents()
    for value in ["card", "cash", "transfer"] {
      new.add("Payment Tapped", key: "payment_kind", values: [.string(value)])
    }
    new.add("Payment Tapped", key: "product_name", types: [.string])
    let words = try WordList(csv: Array("old,new\npay,payment\ntap,tapped\nthing,product\n".utf8), name: "words.csv")
    let event = try #require(TableDraft(old: old, new: new, words: words).events.first)
    #expect(event.newName == "Payment Tapped" && event.naming?.way == .words && event.naming?.isSure == false)
    #expect(event.rows.map(\.deed) == ["`how` to `payment_kind`", "`thing_name` to `product_name`"])
    #expect(event.rows.map(\.finding.way) == [.values, .words])
    #expect(throws: DocumentError.self) {
      try WordList(csv: Array("old,new\na,b\na,c\n".utf8), name: "words.csv")
    }
  }
}
