import DualSendCore

/// Every event of the imagined app: a shop with videos, an old logger and five years of habits.
enum EventCatalogue {
  static let all = appEvents + homeEvents + searchEvents + itemEvents + orderEvents + profileEvents + mediaEvents

  /// What the old logger's wrapper puts on every event.
  static let common: [ParameterSketch] = [
    ParameterSketch("session", SampleValues.numbered("s", below: 3000)),
    ParameterSketch(
      "ctx",
      SampleValues.object(
        ParameterSketch("screen", SampleValues.pick(["home", "search", "item", "cart", "profile", "player"])),
        ParameterSketch("locale", SampleValues.pick(["ja_JP", "en_US", "de_DE", "ko_KR"])),
        ParameterSketch("net", presence: 60, nulls: 10, SampleValues.pick(["wifi", "5g", "4g", "none"])))),
    ParameterSketch("debug", presence: 4, SampleValues.pick(["trace=1", "forced"])),
  ]

  /// The table's rows for every event; an event's own rows win over them.
  static let commonRows: [String: EventValue] = [
    "uid": "user_id",
    "session": "session_id",
    "ctx.screen": "screen.name",
    "ctx.locale": "device.locale",
    "debug": nil,
  ]

  private static let appEvents = [
    EventSketch(
      "app.launch", as: "app.open", weight: 8,
      [
        ParameterSketch("cold", SampleValues.flagText), ParameterSketch("ms", SampleValues.mixedInteger(80...4200)),
        ParameterSketch("build", SampleValues.integerText(25_300...25_420)),
      ],
      rows: [
        "cold": ["to": "is_cold_start", "type": "bool"], "ms": ["to": "duration_ms", "type": "int"],
        "build": ["to": "build_number", "type": "int"],
      ], constants: ["schema": 2]),
    EventSketch(
      "app.background", as: "app.close", [ParameterSketch("fg_sec", SampleValues.hundredths(below: 90_000))],
      rows: ["fg_sec": "foreground_seconds"]),
    EventSketch(
      "onboarding.step.view", [ParameterSketch("step", SampleValues.mixedInteger(1...5))],
      rows: ["step": ["to": "step_index", "type": "int"]]),
    EventSketch("onboarding.finish", weight: 1, [ParameterSketch("skipped", SampleValues.flag)]),
    EventSketch(
      "push.notification.receive", as: "notification.receive",
      [
        ParameterSketch("campaign", nulls: 10, SampleValues.numbered("c", below: 60)),
        ParameterSketch("sent_at", SampleValues.moment),
      ],
      rows: ["campaign": "campaign_id", "sent_at": ["to": "sent_time", "type": "date"]]),
    EventSketch(
      "push.notification.open", as: "notification.open",
      [
        ParameterSketch("campaign", nulls: 10, SampleValues.numbered("c", below: 60)),
        ParameterSketch("title", presence: 70, SampleValues.title),
      ],
      rows: ["campaign": "campaign_id"]),
    EventSketch(
      "push.permission.answer", as: "notification.permission", weight: 1,
      [ParameterSketch("answer", SampleValues.pick(["allow", "deny", "later"]))],
      rows: [
        "answer": [
          "to": "is_allowed", "values": ["allow": true, "deny": false, "later": nil], "allow": ["DS0119"],
        ]
      ]),
    EventSketch(
      "debug.cache.dump", weight: 1, [ParameterSketch("entries", SampleValues.integer(0...900))],
      unmapped: "drop"),
  ]

  private static let homeEvents = [
    EventSketch(
      "home.screen.view", as: "home.view", weight: 12,
      [
        ParameterSketch("tab", SampleValues.pick(["for_you", "new", "sale"])),
        ParameterSketch("feed_size", presence: 80, SampleValues.integer(0...120)),
      ],
      rows: ["tab": "tab_name"]),
    EventSketch(
      "home.banner.tap", weight: 5,
      [
        ParameterSketch("banner", SampleValues.numbered("b", below: 40)),
        ParameterSketch("pos", SampleValues.integerText(0...9)),
      ],
      rows: ["banner": "banner_id", "pos": ["to": "position", "type": "int"]]),
    EventSketch(
      "home.like_button.tap", as: "home.like.tap", weight: 9,
      [
        ParameterSketch("item_id", SampleValues.numbered("item-", below: 800)),
        ParameterSketch("pos", presence: 90, SampleValues.mixedInteger(0...40)),
        ParameterSketch("liked", SampleValues.flagNumber),
      ],
      rows: [
        "item_id": "new_item_id", "pos": ["to": "position", "type": "int"],
        "liked": ["to": "is_liked", "values": ["1": true, "0": false]],
      ], constants: ["schema": 2]),
    EventSketch(
      "home.feed.scroll", weight: 10,
      [
        ParameterSketch("depth", SampleValues.hundredths(below: 101)),
        ParameterSketch("seen", SampleValues.list(0...4, of: SampleValues.numbered("item-", below: 800))),
      ],
      rows: ["depth": "scroll_ratio", "seen": "visible_item_ids"]),
    EventSketch(
      "home.tab.change",
      [
        ParameterSketch("from", SampleValues.pick(["for_you", "new", "sale"])),
        ParameterSketch("to", SampleValues.pick(["for_you", "new", "sale"])),
      ],
      // The old call site has the two the wrong way round.
      rows: ["from": "to", "to": "from"]),
    EventSketch(
      "home.story.open",
      [
        ParameterSketch(
          "story",
          SampleValues.object(
            ParameterSketch("id", SampleValues.numbered("st", below: 90)), ParameterSketch("title", SampleValues.title))
        )
      ],
      rows: ["story.id": "story.story_id"]),
  ]

  private static let searchEvents = [
    EventSketch(
      "search.query.submit", as: "search.submit", weight: 9,
      [
        ParameterSketch("q", SampleValues.query), ParameterSketch("hits", SampleValues.integerText(0...900)),
        ParameterSketch(
          "filters", presence: 60,
          SampleValues.object(
            ParameterSketch("price.max", presence: 70, SampleValues.integerText(1...900)),
            ParameterSketch("color", presence: 50, nulls: 30, SampleValues.pick(["red", "青", "grün"])))),
      ],
      rows: [
        "q": "query", "hits": ["to": "result_count", "type": "int"],
        "filters.price\\.max": ["to": "filters.maximum_price", "type": "double"],
      ]),
    EventSketch(
      "search.result.tap", weight: 7,
      [
        ParameterSketch("q", SampleValues.query), ParameterSketch("rank", SampleValues.mixedInteger(1...60)),
        ParameterSketch("item", SampleValues.numbered("item-", below: 800)),
      ],
      rows: ["q": "query", "rank": ["to": "position", "type": "int"], "item": "item_id"]),
    EventSketch(
      "search.filter.change",
      [ParameterSketch("on", SampleValues.list(0...3, of: SampleValues.pick(["new", "sale", "近く"])))],
      rows: ["on": "active_filters"]),
    EventSketch("search.suggestion.tap", [ParameterSketch("text", SampleValues.query)], rows: ["text": "query"]),
    EventSketch(
      "search.history.clear", weight: 1, [ParameterSketch("n", SampleValues.integer(1...40))],
      rows: ["n": ["to": "count_text", "type": "string"]]),
  ]
}
