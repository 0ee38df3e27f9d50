import DualSend
import DualSendCore
import DualSendRemapping
import Foundation
import Testing

/// Events that were generated and compiled, against the table that they were generated from.
@Suite("Generated events")
struct GeneratedEventTests {
  private static let texts = ["", "0", "7", "-12", "1e2", "x", "é", "true"]
  private static let numbers = [0, 1, -1, Int.max, Int.min]
  private static let doubles = [0, 1.5, -1e300, .nan, -.infinity]
  private static let dates = [0, 1_760_000_000.123, 1e15].map { Date(timeIntervalSince1970: $0) }
  private static let objects: [[String: EventValue]] = [
    [:], ["screen": "home", "x": [1]], ["sku": "a", "qty": "2", "gift": true], ["qty": 2.5, "sku": ["deep": nil]],
  ]

  private static func check(_ event: some DualTypedEvent, by file: String) throws {
    let table = try RemappingTable(Fixture.bytes(file), name: file)
    var converter = EventValueConverter()
    let expected = table.apply(to: event.name, payload: converter.convert(event.parameters))
    let new = converter.convert(event.newParameters)
    #expect(event.newName.isExactly(expected.name))
    #expect(EventValue.object(new) == .object(expected.payload), "\(event)")
  }

  @Test("say of themselves what the table says of them", arguments: UInt64(0)..<200)
  func shop(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    func pick<Element>(_ elements: [Element]) -> Element {
      elements[Int.random(in: elements.indices, using: &random)]
    }
    func maybe<Element>(_ elements: [Element]) -> Element? { pick([nil, pick(elements)]) }
    let table = "shop-remapping.json"
    try Self.check(AppBackground(), by: table)
    try Self.check(
      HomeLikeButtonTap(
        itemID: pick(Self.numbers), liked: pick(HomeLikeButtonTap.Liked.allCases), pos: maybe(Self.texts),
        uid: pick(Self.texts)), by: table)
    try Self.check(
      SearchQuerySubmit(
        q: pick(Self.texts), hits: pick(Self.numbers), page: maybe(Self.numbers), tags: pick([[], Self.texts]),
        sort: maybe(SearchQuerySubmit.Sort.allCases), scope: maybe(SearchQuerySubmit.Scope.allCases),
        spell: maybe([[], Self.numbers]), debug: maybe(Self.objects)), by: table)
    try Self.check(
      OrderComplete(
        amount: pick(Self.doubles), currency: pick(Self.texts), coupon: maybe(Self.texts), at: pick(Self.dates),
        gift: pick([false, true]), isFirstOrder: maybe([false, true]), weight: maybe(Self.doubles),
        lines: pick(Self.numbers)), by: table)
    try Self.check(
      CartScreenView(
        lines: pick([[], [pick(Self.objects)], Self.objects]), ctx: maybe(Self.objects), total: pick(Self.doubles),
        shade: pick(CartScreenView.Shade.allCases)), by: table)
    try Self.check(ItemShare(to: maybe(Self.texts), target: maybe(Self.texts)), by: table)
  }

  @Test("do so whatever their names and keys are", arguments: ProtocolEvent.In.allCases, ProtocolEvent.Count.allCases)
  func hostile(_ value: ProtocolEvent.In, _ count: ProtocolEvent.Count) throws {
    let table = "hostile-remapping.json"
    try Self.check(
      ProtocolEvent(
        default: 1, selfParameter: "s", nameParameter: "true", parametersParameter: true, initParameter: 2, aB: "c",
        _22_5c_a_0: "q", new: 3, in: value, e: "é", _123: 4, 日本: nil, count: count, type: .type), by: table)
    try Self.check(StringEvent(string: .x), by: table)
    try Self.check(XError(), by: table)
    try Self.check(EVénement(date: Date(timeIntervalSince1970: 1)), by: table)
  }

  @Test("have a new form whose values have types of their own")
  func types() {
    let form = HomeLikeButtonTap(itemID: 42, liked: ._1, uid: "u").newForm
    #expect(form.newItemID == 42)
    #expect(form.isLiked)
    #expect(form.position == .int(0))
    #expect(form.name == "home.like.tap")
  }
}
