import DualSendCodeGeneration
import DualSendCore
import DualSendRemapping
import Foundation
import Testing

@testable import DualSendDrafting

@Suite("Another tool's tracking plan")
struct TrackingPlanTests {
  private func plan(_ name: String) throws -> TrackingPlan {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fixtures/plans")
    let bytes = Array(try Data(contentsOf: folder.appending(path: name)))
    return try #require(TrackingPlan(try JSONReader().value(bytes), name: name))
  }

  /// The events as the generator reads them, each with its keys and types.
  private func events(_ plan: TrackingPlan) throws -> [String: [String: EventSpecification.Parameter]] {
    let events = try EventSpecification(reading: plan.specification.canonicalJSON).events
    return Dictionary(
      uniqueKeysWithValues: events.map { event in
        (event.name, Dictionary(uniqueKeysWithValues: event.parameters.map { ($0.key, $0) }))
      })
  }

  @Test("of Segment Protocols or typewriter: the types, what may be absent, closed values, and what is not one type")
  func protocols() throws {
    let plan = try plan("segment-protocols.json")
    let events = try events(plan)
    let order = try #require(events["Order Completed"])
    #expect(order["order_id"]?.type.element == .string && order["order_id"]?.isNullable == false)
    #expect(order["order_id"]?.description == "The shop's number of the order.")
    #expect(order["total"]?.type.element == .double && order["total"]?.isNullable == true)
    #expect(order["coupon"]?.isNullable == true && order["ordered_at"]?.type.element == .date)
    #expect(order["payment"]?.values == ["card", "cash"])
    #expect(order["skus"]?.type.element == .int && order["skus"]?.type.isArray == true)
    #expect(events["Cart Viewed"]?.isEmpty == true)
    #expect(
      plan.findings.map(\.message) == ["`note` of `Order Completed` has `string` and `integer`: it is read as a text"])
  }

  @Test("of Segment's newer form: events that are tracked, and a warning for other rules")
  func rules() throws {
    let plan = try plan("segment-rules.json")
    #expect(try events(plan).mapValues { $0.keys.sorted() } == ["Order Completed": ["order_id"]])
    #expect(plan.findings.map(\.message) == ["a rule of the type `IDENTIFY` is not read"])
  }

  @Test(
    "as a schema of one event: Snowplow's by its name, another by its title",
    arguments: ["iglu.json", "json-schema.json"])
  func schemas(_ name: String) throws {
    let events = try events(plan(name))
    #expect(events["order_completed"]?["order_id"]?.isNullable == false)
    #expect(events["order_completed"]?["gift"]?.type.element == (name == "iglu.json" ? .bool : nil))
    #expect(events["order_completed"]?["address"]?.type.element == (name == "iglu.json" ? nil : .object))
  }

  @Test("of Avo: the same, and a warning for names of single destinations")
  func avo() throws {
    let plan = try plan("avo.json")
    let order = try #require(try events(plan)["Order Completed"])
    #expect(order.keys.sorted() == ["Items", "Order Id", "Page", "Payment", "Total"])
    #expect(order["Order Id"]?.isNullable == false && order["Payment"]?.values == ["card", "cash"])
    #expect(plan.findings.map(\.message).count == 1)
    #expect(plan.findings.first?.message.contains("`nameMapping`, first in `Order Completed`") == true)
  }

  @Test("has keys inside of objects and of arrays among its names")
  func nested() throws {
    let plan = try plan("avo.json")
    let keys = try #require(plan.names.events[ExactText("Order Completed")])
    #expect(keys.keys.map(\.text).sorted() == ["Items[].Sku", "Order Id", "Page.Path", "Payment", "Total"])
    #expect(keys[ExactText("Total")]?.types == [.double])
    #expect(keys[ExactText("Payment")]?.closedValues == [ExactText("card"), ExactText("cash")])
  }

  @Test("is told from documents of this package, and from what is none")
  func recognition() throws {
    for text in [
      #"{"formatVersion": 1, "events": {}}"#, #"{"revision": 1, "salt": "s", "rules": [{"match": {}}]}"#, "[]", "{}",
      "3",
      #"{"rules": {}}"#, #"{"formatVersion": 1, "specification": {}}"#,
    ] {
      let value = try JSONReader().value(Array(text.utf8))
      #expect(TrackingPlan(value, name: "x") == nil && !TrackingPlan.isPlan(value), "\(text)")
    }
    let twice = try JSONReader().value(
      Array(#"[{"title": "a", "properties": {}}, {"title": "a", "properties": {}}, {"properties": {}}]"#.utf8))
    #expect(TrackingPlan(twice, name: "x")?.findings.count == 2)
  }
}
