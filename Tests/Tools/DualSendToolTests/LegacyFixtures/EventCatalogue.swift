import DualSendCore

/// The events of the sample app, a shop with videos.
enum EventCatalogue {
  static let all = appEvents + homeEvents + searchEvents + itemEvents + orderEvents + profileEvents + mediaEvents

  /// The parameters of every event.
  static let common: [SampleParameter] = [
    SampleParameter("session", SampleValues.numbered("s", below: 3000)),
    SampleParameter(
      "ctx",
      SampleValues.object(
        SampleParameter("screen", SampleValues.pick(["home", "search", "item", "cart", "profile", "player"])),
        SampleParameter("locale", SampleValues.pick(["ja_JP", "en_US", "de_DE", "ko_KR"])),
        SampleParameter("net", presence: 60, nulls: 10, SampleValues.pick(["wifi", "5g", "4g", "none"])))),
    SampleParameter("debug", presence: 4, SampleValues.pick(["trace=1", "forced"])),
  ]

  /// The table's rows for every event. An event's own rows override them.
  static let commonRows: [String: EventValue] = [
    "uid": "user_id",
    "session": "session_id",
    "ctx.screen": "screen.name",
    "ctx.locale": "device.locale",
    "debug": nil,
  ]

  private static let appEvents = [
    SampleEvent(
      "app.launch", as: "app.open", weight: 8,
      [
        SampleParameter("cold", SampleValues.flagText), SampleParameter("ms", SampleValues.mixedInteger(80...4200)),
        SampleParameter("build", SampleValues.integerText(25_300...25_420)),
      ],
      rows: [
        "cold": ["to": "is_cold_start", "type": "bool"], "ms": ["to": "duration_ms", "type": "int"],
        "build": ["to": "build_number", "type": "int"],
      ], constants: ["schema": 2]),
    SampleEvent(
      "app.background", as: "app.close", [SampleParameter("fg_sec", SampleValues.hundredths(below: 90_000))],
      rows: ["fg_sec": "foreground_seconds"]),
    SampleEvent(
      "onboarding.step.view", [SampleParameter("step", SampleValues.mixedInteger(1...5))],
      rows: ["step": ["to": "step_index", "type": "int"]]),
    SampleEvent("onboarding.finish", weight: 1, [SampleParameter("skipped", SampleValues.flag)]),
    SampleEvent(
      "push.notification.receive", as: "notification.receive",
      [
        SampleParameter("campaign", nulls: 10, SampleValues.numbered("c", below: 60)),
        SampleParameter("sent_at", SampleValues.moment),
      ],
      rows: ["campaign": "campaign_id", "sent_at": ["to": "sent_time", "type": "date"]]),
    SampleEvent(
      "push.notification.open", as: "notification.open",
      [
        SampleParameter("campaign", nulls: 10, SampleValues.numbered("c", below: 60)),
        SampleParameter("title", presence: 70, SampleValues.title),
      ],
      rows: ["campaign": "campaign_id"]),
    SampleEvent(
      "push.permission.answer", as: "notification.permission", weight: 1,
      [SampleParameter("answer", SampleValues.pick(["allow", "deny", "later"]))],
      rows: [
        "answer": [
          "to": "is_allowed", "values": ["allow": true, "deny": false, "later": nil], "allow": ["DS0119"],
        ]
      ]),
    SampleEvent(
      "debug.cache.dump", weight: 1, [SampleParameter("entries", SampleValues.integer(0...900))],
      unmapped: "drop"),
  ]

  private static let homeEvents = [
    SampleEvent(
      "home.screen.view", as: "home.view", weight: 12,
      [
        SampleParameter("tab", SampleValues.pick(["for_you", "new", "sale"])),
        SampleParameter("feed_size", presence: 80, SampleValues.integer(0...120)),
      ],
      rows: ["tab": "tab_name"]),
    SampleEvent(
      "home.banner.tap", weight: 5,
      [
        SampleParameter("banner", SampleValues.numbered("b", below: 40)),
        SampleParameter("pos", SampleValues.integerText(0...9)),
      ],
      rows: ["banner": "banner_id", "pos": ["to": "position", "type": "int"]]),
    SampleEvent(
      "home.like_button.tap", as: "home.like.tap", weight: 9,
      [
        SampleParameter("item_id", SampleValues.numbered("item-", below: 800)),
        SampleParameter("pos", presence: 90, SampleValues.mixedInteger(0...40)),
        SampleParameter("liked", SampleValues.flagNumber),
      ],
      rows: [
        "item_id": "new_item_id", "pos": ["to": "position", "type": "int"],
        "liked": ["to": "is_liked", "values": ["1": true, "0": false]],
      ], constants: ["schema": 2]),
    SampleEvent(
      "home.feed.scroll", weight: 10,
      [
        SampleParameter("depth", SampleValues.hundredths(below: 101)),
        SampleParameter("seen", SampleValues.list(0...4, of: SampleValues.numbered("item-", below: 800))),
      ],
      rows: ["depth": "scroll_ratio", "seen": "visible_item_ids"]),
    SampleEvent(
      "home.tab.change",
      [
        SampleParameter("from", SampleValues.pick(["for_you", "new", "sale"])),
        SampleParameter("to", SampleValues.pick(["for_you", "new", "sale"])),
      ],
      // The old call site swaps the two values.
      rows: ["from": "to", "to": "from"]),
    SampleEvent(
      "home.story.open",
      [
        SampleParameter(
          "story",
          SampleValues.object(
            SampleParameter("id", SampleValues.numbered("st", below: 90)), SampleParameter("title", SampleValues.title))
        )
      ],
      rows: ["story.id": "story.story_id"]),
  ]

  private static let searchEvents = [
    SampleEvent(
      "search.query.submit", as: "search.submit", weight: 9,
      [
        SampleParameter("q", SampleValues.query), SampleParameter("hits", SampleValues.integerText(0...900)),
        SampleParameter(
          "filters", presence: 60,
          SampleValues.object(
            SampleParameter("price.max", presence: 70, SampleValues.integerText(1...900)),
            SampleParameter("color", presence: 50, nulls: 30, SampleValues.pick(["red", "青", "grün"])))),
      ],
      rows: [
        "q": "query", "hits": ["to": "result_count", "type": "int"],
        "filters.price\\.max": ["to": "filters.maximum_price", "type": "double"],
      ]),
    SampleEvent(
      "search.result.tap", weight: 7,
      [
        SampleParameter("q", SampleValues.query), SampleParameter("rank", SampleValues.mixedInteger(1...60)),
        SampleParameter("item", SampleValues.numbered("item-", below: 800)),
      ],
      rows: ["q": "query", "rank": ["to": "position", "type": "int"], "item": "item_id"]),
    SampleEvent(
      "search.filter.change",
      [SampleParameter("on", SampleValues.list(0...3, of: SampleValues.pick(["new", "sale", "近く"])))],
      rows: ["on": "active_filters"]),
    SampleEvent("search.suggestion.tap", [SampleParameter("text", SampleValues.query)], rows: ["text": "query"]),
    SampleEvent(
      "search.history.clear", weight: 1, [SampleParameter("n", SampleValues.integer(1...40))],
      rows: ["n": ["to": "count_text", "type": "string"]]),
  ]
}
