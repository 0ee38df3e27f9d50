import DualSendCommands
import DualSendCore

extension EventCatalogue {
  static let itemEvents = [
    EventSketch(
      "item.screen.view", as: "item.view", weight: 12,
      [
        ParameterSketch("item_id", SampleValues.numbered("item-", below: 800)),
        ParameterSketch("title", SampleValues.title), ParameterSketch("price", nulls: 3, SampleValues.price),
        ParameterSketch("tags", presence: 50, SampleValues.list(0...3, of: SampleValues.pick(["new", "eco", "限定"]))),
      ],
      rows: ["title": "item_title", "price": ["to": "price.amount", "type": "double"], "tags": "labels"],
      constants: ["price.currency": "JPY"]),
    EventSketch(
      "item.image.swipe", weight: 6,
      [
        ParameterSketch("item_id", SampleValues.numbered("item-", below: 800)),
        ParameterSketch("idx", SampleValues.integer(0...7)),
      ],
      rows: ["idx": "image_index"]),
    EventSketch(
      "item.like_button.tap", as: "item.like.tap", weight: 6,
      [
        ParameterSketch("item_id", SampleValues.numbered("item-", below: 800)),
        ParameterSketch("liked", SampleValues.flagText),
      ],
      rows: ["liked": ["to": "is_liked", "values": ["1": true, "0": false]]]),
    EventSketch(
      "item.share_button.tap", as: "item.share.tap",
      [
        ParameterSketch("item_id", SampleValues.numbered("item-", below: 800)),
        ParameterSketch("via", nulls: 15, SampleValues.pick(["line", "mail", "copy"])),
      ],
      rows: ["via": ["to": "channel", "default": "unknown"]]),
    EventSketch(
      "item.review.submit", weight: 2,
      [
        ParameterSketch("stars", SampleValues.integerText(1...5)), ParameterSketch("text", SampleValues.comment),
        ParameterSketch("item_id", SampleValues.numbered("item-", below: 800)),
      ],
      rows: ["stars": ["to": "rating", "type": "int"], "text": nil]),
    EventSketch("item.size.select", [ParameterSketch("size", SampleValues.pick(["S", "M", "L", "フリー"]))]),
  ]

  static let orderEvents = [
    EventSketch(
      "cart.screen.view", as: "cart.view", weight: 6,
      [
        ParameterSketch("lines", SampleValues.list(0...3, of: line)), ParameterSketch("total", SampleValues.price),
      ],
      rows: [
        "lines[].sku": "items[].item_id", "lines[].qty": ["to": "items[].quantity", "type": "int"],
        "total": ["to": "total_amount", "type": "double"],
      ]),
    EventSketch(
      "cart.item.add", weight: 6,
      [
        ParameterSketch("sku", SampleValues.numbered("item-", below: 800)),
        ParameterSketch("qty", SampleValues.mixedInteger(1...9)),
        ParameterSketch("coupon", presence: 20, nulls: 50, SampleValues.numbered("cp", below: 30)),
      ],
      rows: ["sku": "item_id", "qty": ["to": "quantity", "type": "int"], "coupon": "coupon_code"]),
    EventSketch(
      "cart.item.remove",
      [
        ParameterSketch("sku", SampleValues.numbered("item-", below: 800)),
        ParameterSketch("why", presence: 40, SampleValues.comment),
      ],
      rows: ["sku": "item_id", "why": nil]),
    EventSketch(
      "cart.quantity.change",
      [
        ParameterSketch("sku", SampleValues.numbered("item-", below: 800)),
        ParameterSketch("from", SampleValues.integerText(1...9)),
        ParameterSketch("to", SampleValues.integerText(0...9)),
      ],
      rows: [
        "sku": "item_id", "from": ["to": "quantity.before", "type": "int"],
        "to": ["to": "quantity.after", "type": "int"],
      ]),
    EventSketch(
      "cart.coupon.apply", weight: 2,
      [
        ParameterSketch("code", SampleValues.numbered("cp", below: 30)), ParameterSketch("ok", SampleValues.flagNumber),
      ],
      rows: ["code": "coupon_code", "ok": ["to": "is_valid", "type": "bool"]]),
    EventSketch(
      "checkout.start", as: "order.begin", weight: 4,
      [ParameterSketch("total", SampleValues.price), ParameterSketch("n", SampleValues.integer(1...12))],
      rows: ["total": ["to": "total_amount", "type": "double"], "n": "line_count"]),
    EventSketch(
      "checkout.address.submit", as: "order.address",
      [
        ParameterSketch("zip", presence: 90, SampleValues.pick(["100-0001", "10115", "94103", "04524"])),
        ParameterSketch("new", SampleValues.flag),
      ],
      rows: ["zip": nil, "new": "is_new_address"]),
    EventSketch(
      "checkout.payment.select", as: "order.payment",
      [ParameterSketch("method", nulls: 5, SampleValues.pick(["0", "1", "2", "9"]))],
      rows: [
        "method": [
          "to": "payment_method", "values": ["0": "card", "1": "bank", "2": "store", "9": "other"],
          "default": "unknown",
        ]
      ]),
    EventSketch(
      "checkout.order.complete", as: "order.complete", weight: 4,
      [
        ParameterSketch("order", SampleValues.numbered("o", below: 90_000)),
        ParameterSketch("total", SampleValues.price),
        ParameterSketch("lines", SampleValues.list(1...3, of: line)), ParameterSketch("at", SampleValues.moment),
      ],
      rows: [
        "order": "order_id", "total": ["to": "total_amount", "type": "double"],
        "lines[].sku": "items[].item_id", "lines[].qty": ["to": "items[].quantity", "type": "int"],
        "lines[].gift": "items[].is_gift", "at": ["to": "completed_time", "type": "date"],
      ], constants: ["schema": 3]),
    EventSketch(
      "checkout.order.fail", as: "order.fail", weight: 1,
      [ParameterSketch("code", SampleValues.integerText(100...130)), ParameterSketch("msg", SampleValues.comment)],
      rows: ["code": ["to": "error_code", "type": "int"], "msg": nil], unmapped: "report"),
  ]

  private static let line = SampleValues.object(
    ParameterSketch("sku", SampleValues.numbered("item-", below: 800)),
    ParameterSketch("qty", SampleValues.integerText(1...9)),
    ParameterSketch("gift", presence: 20, SampleValues.flag))

  static let profileEvents = [
    EventSketch(
      "profile.screen.view", as: "profile.view", weight: 5, [ParameterSketch("own", SampleValues.flag)],
      rows: ["own": "is_own_profile"]),
    EventSketch(
      "profile.edit.save",
      [
        ParameterSketch("name", presence: 60, nulls: 20, SampleValues.title),
        ParameterSketch("fields", SampleValues.list(1...3, of: SampleValues.pick(["name", "bio", "link"]))),
      ],
      rows: ["name": nil, "fields": "changed_fields"]),
    EventSketch(
      "profile.avatar.change", weight: 1, [ParameterSketch("kb", SampleValues.hundredths(below: 400_000))],
      rows: ["kb": ["to": "size_kilobytes", "type": "double"]]),
    EventSketch("profile.logout", weight: 1, []),
    EventSketch(
      "settings.language.change", weight: 1,
      [ParameterSketch("lang", SampleValues.pick(["ja", "en", "de", "ko"]))], rows: ["lang": "language"]),
    EventSketch(
      "settings.theme.change", weight: 1, [ParameterSketch("dark", SampleValues.flagNumber)],
      rows: ["dark": ["to": "theme", "values": ["1": "dark", "0": "light"]]]),
  ]

  static let mediaEvents = [
    EventSketch(
      "video.player.play", as: "video.play", weight: 7, player, rows: playerRows),
    EventSketch(
      "video.player.pause", as: "video.pause", weight: 5, player, rows: playerRows),
    EventSketch(
      "video.player.progress", as: "video.progress", weight: 9,
      player + [ParameterSketch("pct", SampleValues.integerText(1...99))],
      rows: playerRows.merging(["pct": ["to": "percentage", "type": "int"]]) { own, _ in own }),
    EventSketch(
      "video.player.complete", as: "video.complete", weight: 3, player, rows: playerRows, constants: ["percentage": 100]
    ),
  ]

  private static let player = [
    ParameterSketch("vid", SampleValues.numbered("v", below: 200)),
    ParameterSketch("t", SampleValues.hundredths(below: 60_000)),
    ParameterSketch("q", nulls: 8, SampleValues.pick(["auto", "480p", "1080p"])),
    ParameterSketch("subs", presence: 70, nulls: 40, SampleValues.pick(["ja", "en"])),
  ]

  private static let playerRows: [String: EventValue] = [
    "vid": "video_id", "t": "position_seconds", "q": ["to": "quality", "default": "auto"], "subs": "subtitle_language",
  ]
}
