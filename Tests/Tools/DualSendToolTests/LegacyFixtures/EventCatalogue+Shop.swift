import DualSendCore

extension EventCatalogue {
  static let itemEvents = [
    SampleEvent(
      "item.screen.view", as: "item.view", weight: 12,
      [
        SampleParameter("item_id", SampleValues.numbered("item-", below: 800)),
        SampleParameter("title", SampleValues.title), SampleParameter("price", nulls: 3, SampleValues.price),
        SampleParameter("tags", presence: 50, SampleValues.list(0...3, of: SampleValues.pick(["new", "eco", "限定"]))),
      ],
      rows: ["title": "item_title", "price": ["to": "price.amount", "type": "double"], "tags": "labels"],
      constants: ["price.currency": "JPY"]),
    SampleEvent(
      "item.image.swipe", weight: 6,
      [
        SampleParameter("item_id", SampleValues.numbered("item-", below: 800)),
        SampleParameter("idx", SampleValues.integer(0...7)),
      ],
      rows: ["idx": "image_index"]),
    SampleEvent(
      "item.like_button.tap", as: "item.like.tap", weight: 6,
      [
        SampleParameter("item_id", SampleValues.numbered("item-", below: 800)),
        SampleParameter("liked", SampleValues.flagText),
      ],
      rows: ["liked": ["to": "is_liked", "values": ["1": true, "0": false]]]),
    SampleEvent(
      "item.share_button.tap", as: "item.share.tap",
      [
        SampleParameter("item_id", SampleValues.numbered("item-", below: 800)),
        SampleParameter("via", nulls: 15, SampleValues.pick(["line", "mail", "copy"])),
      ],
      rows: ["via": ["to": "channel", "default": "unknown"]]),
    SampleEvent(
      "item.review.submit", weight: 2,
      [
        SampleParameter("stars", SampleValues.integerText(1...5)), SampleParameter("text", SampleValues.comment),
        SampleParameter("item_id", SampleValues.numbered("item-", below: 800)),
      ],
      rows: ["stars": ["to": "rating", "type": "int"], "text": nil]),
    SampleEvent("item.size.select", [SampleParameter("size", SampleValues.pick(["S", "M", "L", "フリー"]))]),
  ]

  static let orderEvents = [
    SampleEvent(
      "cart.screen.view", as: "cart.view", weight: 6,
      [
        SampleParameter("lines", SampleValues.list(0...3, of: line)), SampleParameter("total", SampleValues.price),
      ],
      rows: [
        "lines[].sku": "items[].item_id", "lines[].qty": ["to": "items[].quantity", "type": "int"],
        "total": ["to": "total_amount", "type": "double"],
      ]),
    SampleEvent(
      "cart.item.add", weight: 6,
      [
        SampleParameter("sku", SampleValues.numbered("item-", below: 800)),
        SampleParameter("qty", SampleValues.mixedInteger(1...9)),
        SampleParameter("coupon", presence: 20, nulls: 50, SampleValues.numbered("cp", below: 30)),
      ],
      rows: ["sku": "item_id", "qty": ["to": "quantity", "type": "int"], "coupon": "coupon_code"]),
    SampleEvent(
      "cart.item.remove",
      [
        SampleParameter("sku", SampleValues.numbered("item-", below: 800)),
        SampleParameter("why", presence: 40, SampleValues.comment),
      ],
      rows: ["sku": "item_id", "why": nil]),
    SampleEvent(
      "cart.quantity.change",
      [
        SampleParameter("sku", SampleValues.numbered("item-", below: 800)),
        SampleParameter("from", SampleValues.integerText(1...9)),
        SampleParameter("to", SampleValues.integerText(0...9)),
      ],
      rows: [
        "sku": "item_id", "from": ["to": "quantity.before", "type": "int"],
        "to": ["to": "quantity.after", "type": "int"],
      ]),
    SampleEvent(
      "cart.coupon.apply", weight: 2,
      [
        SampleParameter("code", SampleValues.numbered("cp", below: 30)), SampleParameter("ok", SampleValues.flagNumber),
      ],
      rows: ["code": "coupon_code", "ok": ["to": "is_valid", "type": "bool"]]),
    SampleEvent(
      "checkout.start", as: "order.begin", weight: 4,
      [SampleParameter("total", SampleValues.price), SampleParameter("n", SampleValues.integer(1...12))],
      rows: ["total": ["to": "total_amount", "type": "double"], "n": "line_count"]),
    SampleEvent(
      "checkout.address.submit", as: "order.address",
      [
        SampleParameter("zip", presence: 90, SampleValues.pick(["100-0001", "10115", "94103", "04524"])),
        SampleParameter("new", SampleValues.flag),
      ],
      rows: ["zip": nil, "new": "is_new_address"]),
    SampleEvent(
      "checkout.payment.select", as: "order.payment",
      [SampleParameter("method", nulls: 5, SampleValues.pick(["0", "1", "2", "9"]))],
      rows: [
        "method": [
          "to": "payment_method", "values": ["0": "card", "1": "bank", "2": "store", "9": "other"],
          "default": "unknown",
        ]
      ]),
    SampleEvent(
      "checkout.order.complete", as: "order.complete", weight: 4,
      [
        SampleParameter("order", SampleValues.numbered("o", below: 90_000)),
        SampleParameter("total", SampleValues.price),
        SampleParameter("lines", SampleValues.list(1...3, of: line)), SampleParameter("at", SampleValues.moment),
      ],
      rows: [
        "order": "order_id", "total": ["to": "total_amount", "type": "double"],
        "lines[].sku": "items[].item_id", "lines[].qty": ["to": "items[].quantity", "type": "int"],
        "lines[].gift": "items[].is_gift", "at": ["to": "completed_time", "type": "date"],
      ], constants: ["schema": 3]),
    SampleEvent(
      "checkout.order.fail", as: "order.fail", weight: 1,
      [SampleParameter("code", SampleValues.integerText(100...130)), SampleParameter("msg", SampleValues.comment)],
      rows: ["code": ["to": "error_code", "type": "int"], "msg": nil], unmapped: "report"),
  ]

  private static let line = SampleValues.object(
    SampleParameter("sku", SampleValues.numbered("item-", below: 800)),
    SampleParameter("qty", SampleValues.integerText(1...9)),
    SampleParameter("gift", presence: 20, SampleValues.flag))

  static let profileEvents = [
    SampleEvent(
      "profile.screen.view", as: "profile.view", weight: 5, [SampleParameter("own", SampleValues.flag)],
      rows: ["own": "is_own_profile"]),
    SampleEvent(
      "profile.edit.save",
      [
        SampleParameter("name", presence: 60, nulls: 20, SampleValues.title),
        SampleParameter("fields", SampleValues.list(1...3, of: SampleValues.pick(["name", "bio", "link"]))),
      ],
      rows: ["name": nil, "fields": "changed_fields"]),
    SampleEvent(
      "profile.avatar.change", weight: 1, [SampleParameter("kb", SampleValues.hundredths(below: 400_000))],
      rows: ["kb": ["to": "size_kilobytes", "type": "double"]]),
    SampleEvent("profile.logout", weight: 1, []),
    SampleEvent(
      "settings.language.change", weight: 1,
      [SampleParameter("lang", SampleValues.pick(["ja", "en", "de", "ko"]))], rows: ["lang": "language"]),
    SampleEvent(
      "settings.theme.change", weight: 1, [SampleParameter("dark", SampleValues.flagNumber)],
      rows: ["dark": ["to": "theme", "values": ["1": "dark", "0": "light"]]]),
  ]

  static let mediaEvents = [
    SampleEvent(
      "video.player.play", as: "video.play", weight: 7, player, rows: playerRows),
    SampleEvent(
      "video.player.pause", as: "video.pause", weight: 5, player, rows: playerRows),
    SampleEvent(
      "video.player.progress", as: "video.progress", weight: 9,
      player + [SampleParameter("pct", SampleValues.integerText(1...99))],
      rows: playerRows.merging(["pct": ["to": "percentage", "type": "int"]]) { own, _ in own }),
    SampleEvent(
      "video.player.complete", as: "video.complete", weight: 3, player, rows: playerRows, constants: ["percentage": 100]
    ),
  ]

  private static let player = [
    SampleParameter("vid", SampleValues.numbered("v", below: 200)),
    SampleParameter("t", SampleValues.hundredths(below: 60_000)),
    SampleParameter("q", nulls: 8, SampleValues.pick(["auto", "480p", "1080p"])),
    SampleParameter("subs", presence: 70, nulls: 40, SampleValues.pick(["ja", "en"])),
  ]

  private static let playerRows: [String: EventValue] = [
    "vid": "video_id", "t": "position_seconds", "q": ["to": "quality", "default": "auto"], "subs": "subtitle_language",
  ]
}
