import DualSendCore
import Testing

@Suite("The decision of a decision", .timeLimit(.minutes(5)))
struct CarriedDecisionTests {
  private static func vectors(_ key: String) throws -> [String] {
    guard case .object(let members) = try JSONReader().value(Fixture.bytes("vectors/decision-stamps.json")),
      case .array(let texts)? = members[key]
    else { return [] }
    return texts.compactMap { if case .string(let text) = $0 { text } else { nil } }
  }

  @Test("is read from its text, and written as the same text")
  func decisions() throws {
    let texts = try Self.vectors("stamps")
    #expect(texts.count == 16)
    for text in texts { #expect(CarriedDecision(text)?.description == text) }
  }

  @Test("is not read from any other text")
  func others() throws {
    let texts = try Self.vectors("others")
    #expect(texts.count > 30)
    for text in texts { #expect(CarriedDecision(text) == nil, "\(text.debugDescription)") }
    #expect(CarriedDecision("12:both+" + String(repeating: "a", count: 1016)) != nil)
    #expect(CarriedDecision("12:both+" + String(repeating: "a", count: 1017)) == nil)
  }

  @Test("says what was decided")
  func members() throws {
    let decision = try #require(CarriedDecision("12:old+b+a:missingUnit"))
    #expect((decision.revision, decision.oldLogger, decision.newTracker) == (12, true, false))
    #expect((decision.sinks, decision.reason) == (["b", "a"], .missingUnit))
    #expect(CarriedDecision("-:none")?.revision == nil)
  }

  @Test("names sinks in one order, and leaves out ids that a document cannot name")
  func sinks() {
    let decision = CarriedDecision(
      revision: 3, oldLogger: false, newTracker: true, sinks: ["b", "a b", "é", "", "B", "a"], reason: .scope)
    #expect(decision.description == "3:new+B+a+b:scope")
    #expect(CarriedDecision(decision.description) == decision)
  }

  @Test("every decision survives its text", arguments: 0..<200 as Range<UInt64>)
  func roundTrip(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let reasons: [CarriedDecision.Reason?] = [nil, .missingUnit, .breaker, .scope]
    let decision = CarriedDecision(
      revision: Bool.random(using: &random) ? Int64.random(in: 0...(.max), using: &random) : nil,
      oldLogger: Bool.random(using: &random), newTracker: Bool.random(using: &random),
      sinks: (0..<Int.random(in: 0...3, using: &random)).map { _ in "s\(random.next() % 100)" },
      reason: reasons[Int.random(in: 0..<4, using: &random)])
    #expect(CarriedDecision(decision.description) == decision)
  }

  @Test("stands before the id in the event's canonical form, and nowhere without one")
  func envelope() throws {
    func element(_ decision: CarriedDecision?) throws -> String {
      var writer = CanonicalJSONWriter(capacity: 64)
      let event = TrackingEvent(
        id: EventID(high: 1, low: 2), time: 5, name: "a", payload: ["n": 1], decision: decision)
      event.writeElement(to: &writer)
      #expect(try JSONReader().value(writer.bytes).canonicalJSON == writer.bytes)
      return String(decoding: writer.bytes, as: UTF8.self)
    }
    let plain = try element(nil)
    #expect(try element(CarriedDecision("12:both")) == #"{"decision":"12:both","# + plain.dropFirst())
    #expect(!plain.contains("decision"))
  }
}
