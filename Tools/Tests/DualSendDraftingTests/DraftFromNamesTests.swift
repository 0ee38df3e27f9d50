import DualSend
import DualSendCore
import DualSendInventory
import DualSendRemapping
import Testing

@testable import DualSendDrafting

@Suite("A draft from names", .timeLimit(.minutes(5)))
struct DraftFromNamesTests {
  private func draft(_ old: [(String, [SentParameter])], _ plan: String) throws -> TableDraft {
    let sites = old.map { name, parameters in
      CallSite(
        certainty: .exact, file: "a.swift", line: 1, column: 1,
        events: [SentEvent(name: name, parameters: parameters)])
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
            ],
          ]
        ],
      ])
  }

  @Test("leaves open what several names could mean, with the candidates")
  func ambiguous() throws {
    let draft = try draft(
      [("tap", [key("user_name", .string), key("userName", .string), key("zzz", .int)])],
      "new event,new key\ntap,username\ntap,user.name\n")
    let event = try #require(draft.events.first)
    #expect(event.rows.isEmpty && event.newName == nil)
    #expect(event.open.contains { $0.hasPrefix("`user_name` may be ") && $0.contains("`user.name`") })
    #expect(event.open.contains("`zzz` no new name is similar"))
  }

  @Test("guesses a key that has one word more, says so, and guesses none of two")
  func guesses() throws {
    let plan = "event,key\ntap,course_id\ntap,user_name\ntap,user_id\ntap,size\n"
    let event = try #require(
      try draft([("tap", [key("course", .string), key("user", .string), key("itemSize", .int)])], plan).events.first)
    #expect(event.rows.map(\.deed) == ["`course` to `course_id`", "`itemSize` to `size`"])
    #expect(event.notes.contains("`course` to `course_id`: a guess: one word more or less"))
    #expect(event.open == ["`user` may be `user_id` or `user_name`"])
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
    old.add("tap", payload: ["a": ["b": 1.0], "list": [["c": "x"]], "none": [], "//": 2])
    let plan = "event,key,type\ntap,A.B,string\ntap,list[].C,string\ntap,NONE,\n"
    let draft = TableDraft(old: old, new: try NamedEvents(csv: Array(plan.utf8), name: "plan.csv"))
    let event = try #require(draft.events.first)
    #expect(event.rows.map(\.deed) == ["`a.b` to `A.B`", "`list[].c` to `list[].C`", "`none` to `NONE`"])
    #expect(event.rows.map(\.type) == [.string, nil, nil])
    #expect(event.open.isEmpty)
  }

  @Test("knows the words of a name however it is written")
  func words() {
    for text in ["userID", "user_id", "UserId", "user.id", "USER-ID", "usr id"] {
      #expect(NameWords(text).words == ["user", "id"])
    }
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
}
